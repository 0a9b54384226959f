import type { ItemType } from 'portico/types';
import { useState } from 'preact/hooks';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { useKeys } from '../../keys.ts';
import type { Engine } from '../../player/engine.ts';
import { SpanDialog } from '../../player/span-dialog.tsx';
import { additionOf, type Place, placeOfMarks, removalOf, replacementOf, type Span } from '../../player/spans.ts';
import { t } from '../../texts/index.ts';
import { useDefinitions } from './form/definitions.ts';
import { takeBack, write } from './form/save.ts';

/** Timed entries are made, moved, edited and taken away. Each change can be taken back. */
export function useSpanEditing(
  item: ItemType,
  engine: Engine | undefined,
  mayEdit: boolean,
  reload: () => Promise<void>,
) {
  const rate = engine?.counting.rate ?? { numerator: 25, denominator: 1 };
  const canEdit = mayEdit && engine !== undefined;
  const id = item.id ?? '';
  const definitions = useDefinitions();
  const [open, setOpen] = useState<{ readonly span: Span | undefined; readonly place: Place }>();
  const placeOf = ({ from, to }: Span): Place => ({
    from: Math.round((from * rate.numerator) / rate.denominator),
    to: Math.round((to * rate.numerator) / rate.denominator),
  });
  const change = async (document: ReturnType<typeof removalOf>, done: string) => {
    const changeId = await write(id, document);
    setOpen(undefined);
    await reload();
    toast(
      done,
      changeId === undefined
        ? undefined
        : { text: t('word.undo'), run: () => void act(() => takeBack(id, changeId)).then(reload) },
    );
  };
  const make = () => {
    if (!canEdit) return;
    engine.run('k');
    const length = Math.round((2 * rate.numerator) / rate.denominator);
    setOpen({ span: undefined, place: placeOfMarks(engine.marks.value, engine.frame.value, engine.frames, length) });
  };
  useKeys({ n: make }, canEdit ? { n: t('player.spanNew') } : {});
  const remove = (span: Span) => change(removalOf(span), t('item.spanRemoved'));
  return {
    make: canEdit ? make : undefined,
    handlers: {
      canEdit,
      onMove: (span: Span, place: Place) =>
        void act(() => change(replacementOf(span, span.fields, place, rate), t('item.spanMoved'))).then((done) =>
          done ? undefined : reload(),
        ),
      onEdit: (span: Span) => setOpen({ span, place: placeOf(span) }),
      onRemove: (span: Span) => void act(() => remove(span)),
    },
    dialog: open && engine && (
      <SpanDialog
        {...open}
        counting={engine.counting}
        groups={definitions?.groups ?? []}
        fields={definitions?.fields ?? []}
        onClose={() => setOpen(undefined)}
        onRemove={remove}
        onSave={(what, fields, place) =>
          change(
            open.span ? replacementOf(open.span, fields, place, rate) : additionOf(what, fields, place, rate),
            t('word.saved'),
          )
        }
      />
    ),
  };
}
