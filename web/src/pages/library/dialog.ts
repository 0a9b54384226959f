import type { Chosen } from './actions.ts';

export type DialogName = 'edit' | 'access' | 'collection' | 'save' | 'export' | 'transcode' | 'delete';

/** What a dialog about chosen items gets. */
export interface DialogProps {
  readonly chosen: Chosen;
  /** Number of chosen items. */
  readonly size: number;
  readonly address: string;
  readonly onClose: () => void;
  /** After the items or their places have changed. */
  readonly onDone: (name: DialogName) => void;
}
