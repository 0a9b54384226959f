import type { ItemType, ShareListDocument, URIListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../../api/client.ts';
import type { ClashDialogProps } from '../../../components/clash-dialog.tsx';
import { useLoad } from '../../../components/load.ts';
import { Person } from '../../../components/person.tsx';
import { act } from '../../../components/refusal.tsx';
import { toast } from '../../../components/toast.ts';
import { Bytes, Fact, Time } from '../../../components/values.tsx';
import { typeWords } from '../../../components/words.ts';
import { durationOf } from '../../../player/frames.ts';
import { may, reaches } from '../../../rights.ts';
import { late } from '../../../router.tsx';
import { lengthText } from '../../../texts/clock.ts';
import { language, t } from '../../../texts/index.ts';
import { kindName } from '../../library/tile.tsx';
import { useDefinitions } from '../form/definitions.ts';
import { MetadataForm, stays } from '../form/form.tsx';
import { type Clash, labelOf, type Value, type Values, valuesOf } from '../form/model.ts';
import { saveOne } from '../form/save.ts';
import { colourOf, filesOf, formatOf, originalOf, type TabProps, titleOf } from '../item.ts';

/** Few saves meet that of another person. */
const ClashDialog = late<ClashDialogProps>(async () => (await import('../more-tabs.tsx')).ClashDialog, true);

/** Guest who sent the item, and the link. */
async function originOf({ id = '' }: ItemType, signal: AbortSignal): Promise<string | undefined> {
  if (!may('share.read')) return undefined;
  const at = `/item/${encodeURIComponent(id)}/share`;
  const { origin } = await get<ShareListDocument>(at, { query: { number: 1 }, signal });
  if (!origin) return undefined;
  const { name = t('word.someGuest'), title } = origin;
  return title === undefined ? t('item.throughLink', { name }) : t('item.through', { name, title });
}

/** Facts that every item has: kind, length, size, format, and when it came. */
function Facts({ item }: { readonly item: ItemType }) {
  const values = valuesOf(item.metadata ?? {});
  const original = originalOf(item);
  const file = original && filesOf(original)[0];
  const seconds = durationOf(original);
  const first = (name: string) => values[name]?.[0]?.text;
  const [kind, created, user] = [first('mediaType'), first('created'), first('user')];
  const sender = useLoad(item.id ?? '', (signal) => originOf(item, signal)).value;
  const format = original && [original.mimeType?.map(typeWords).join(', '), formatOf(original)].filter(Boolean);
  return (
    <dl class="facts small item-facts">
      <Fact name={t('item.kind')}>{kind && kindName(kind)}</Fact>
      <Fact name={t('player.length')}>{seconds !== undefined && lengthText(seconds)}</Fact>
      <Fact name={t('library.tag')}>{format?.join(' · ')}</Fact>
      <Fact name={t('item.colour')}>{original && colourOf(original)}</Fact>
      <Fact name={t('item.size')}>{(file?.size ?? -1) >= 0 && <Bytes value={file?.size} />}</Fact>
      <Fact name={t('item.sender')}>{sender}</Fact>
      <Fact name={t('item.added')}>
        {created && (
          <>
            <Time at={created} /> · <Person user={user} />
          </>
        )}
      </Fact>
    </dl>
  );
}

interface ClashQuestion {
  readonly clashes: readonly Clash[];
  readonly mine: Values;
  readonly label: (name: string) => string;
  /** Answers the form: the names whose values of others stay, or nothing when the person goes back to it. */
  readonly answer: (theirs: readonly string[] | undefined) => void;
}

const valuesText = (values: readonly Value[] = []): string => values.map(({ text }) => text).join(', ');

export function MetadataTab({ item, reload }: TabProps) {
  const [question, setQuestion] = useState<ClashQuestion>();
  const metadata = item.metadata ?? {};
  const id = item.id ?? '';
  const canEdit = may('item.edit') && reaches(item, 'WRITE', 'METADATA');
  const save = async (base: Values, mine: Values, label: (name: string) => string) => {
    const of = { id, metadata };
    let ownValues = mine;
    let saved = await saveOne(of, base, ownValues);
    while (saved.clashes) {
      const { clashes } = saved;
      const theirs = await new Promise<readonly string[] | undefined>((answer) =>
        setQuestion({ clashes, mine: ownValues, label, answer }),
      );
      setQuestion(undefined);
      if (theirs === undefined) throw stays;
      ownValues = Object.fromEntries(Object.entries(ownValues).filter(([name]) => !theirs.includes(name)));
      // Values that stay as others wrote them are read again by the reload.
      saved = Object.keys(ownValues).length === 0 ? {} : await saveOne(of, base, ownValues, clashes);
    }
    await reload();
    const { undo } = saved;
    toast(t('word.saved'), undo && { text: t('word.undo'), run: () => void act(undo, t('form.undone')).then(reload) });
  };
  return (
    <>
      <Facts item={item} />
      <MetadataForm items={[{ id, metadata }]} canEdit={canEdit} onSave={save} name={titleOf(item)}>
        {canEdit && <Groups item={item} reload={reload} />}
      </MetadataForm>
      {question && (
        <ClashDialog
          clashes={question.clashes.map(({ name, theirs, user, at }) => ({
            ...{ name, user, at, label: question.label(name), theirs: valuesText(theirs) },
            mine: valuesText(question.mine[name] ?? valuesOf(metadata)[name]),
          }))}
          onChoose={question.answer}
          onClose={() => question.answer(undefined)}
        />
      )}
    </>
  );
}

/** The field groups that make the form of this item. */
function Groups({ item, reload }: TabProps) {
  const definitions = useDefinitions();
  const own = item.metadata?.group ?? [];
  const others = (definitions?.groups ?? []).filter(({ name = '' }) => !own.includes(name));
  if (others.length === 0) return null;
  return (
    <select
      class="input add-field"
      aria-label={t('form.addGroup')}
      value=""
      onChange={({ currentTarget }) => {
        const group = encodeURIComponent(currentTarget.value);
        currentTarget.value = '';
        void act(() => send<URIListDocument>('PUT', `/item/${item.id}/field-group/${group}`)).then(reload);
      }}
    >
      <option value="">{t('form.addGroup')}</option>
      {others.map(({ name = '', data }) => (
        <option key={name} value={name}>
          {labelOf(name, data, language.value)}
        </option>
      ))}
    </select>
  );
}
