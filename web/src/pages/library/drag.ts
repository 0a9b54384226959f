import { signal } from '@preact/signals';

/** The type under which tiles are dragged: ids in lines. */
export const dragType = 'application/x-portico-items';
/** Whether a tile is dragged now: places to drop it show themselves. */
export const dragged = signal(false);

/** Ids of items that are dropped. None: something else is. */
export const droppedIds = ({ dataTransfer }: DragEvent): readonly string[] =>
  dataTransfer?.getData(dragType).split('\n').filter(Boolean) ?? [];

/** Attributes of an entry that is dragged with others. `onDrop`: takes items that are dropped on it. */
export const dragOf = (idsOf: () => readonly string[], onDrop: ((ids: readonly string[]) => void) | undefined) => ({
  draggable: true,
  onDragStart({ dataTransfer }: DragEvent) {
    for (const type of [dragType, 'text/plain']) dataTransfer?.setData(type, idsOf().join('\n'));
    dragged.value = true;
  },
  onDragEnd() {
    dragged.value = false;
  },
  ...(onDrop && {
    onDragOver(event: DragEvent) {
      if (event.dataTransfer?.types.includes(dragType)) event.preventDefault();
    },
    onDrop(event: DragEvent) {
      const ids = droppedIds(event);
      // Files go to the whole page.
      if (ids.length === 0) return;
      event.preventDefault();
      onDrop(ids);
    },
  }),
});
