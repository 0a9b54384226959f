import type { ShareDocument, ShareTermsType, URIListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Shown } from '../../components/empty.tsx';
import { Check, Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import { RefusalNote } from '../../components/refusal.tsx';
import { Table } from '../../components/table.tsx';
import { tagWords } from '../../components/words.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { day, defaultMark, documentFrom, livesOf, type Purpose, sizeOf, units } from './shares.ts';

interface ShareFormProps {
  readonly start: ShareDocument;
  readonly purpose: Purpose;
  /** Whether guests may bring files: into a collection alone. */
  readonly takesFiles: boolean;
  readonly terms: ShareTermsType | undefined;
  /** Tags that guests may get. Left out: all of the service. */
  readonly tags?: readonly string[] | undefined;
  readonly action: string;
  readonly send: (document: ShareDocument) => Promise<unknown>;
}

/** A link that is made or changed. */
export function ShareForm({ start, purpose, takesFiles, terms, tags, action, send }: ShareFormProps) {
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const [takes, setTakes] = useState(start.upload !== undefined);
  const [isBurnt, setBurnt] = useState(start.mark?.burn === true);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setFailure(undefined);
    await send(documentFrom(data, start, purpose)).catch(setFailure);
    setBusy(false);
  };
  const needsPassword = terms?.needsPassword === true && start.isProtected !== true;
  return (
    <form class="stack share-form" onSubmit={submit}>
      <div class="document-form">
        <Field label={t('shares.heading')} name="title" maxLength={200} autocomplete="off" defaultValue={start.title} />
        <Field
          label={t('shares.password')}
          name="password"
          type="password"
          autocomplete="new-password"
          required={needsPassword}
          placeholder={start.isProtected ? t('shares.passwordStays') : undefined}
        />
      </div>
      {start.isProtected && <Check label={t('shares.open')} name="open" />}
      <Life start={start} purpose={purpose} maxDays={terms?.maxDays} />
      <fieldset class="row wrap">
        <legend>{t('shares.may')}</legend>
        {purpose === 'ask' ? (
          <Check label={t('shares.look')} name="look" defaultChecked={start.look} />
        ) : (
          <>
            <Check label={t('shares.play')} name="play" defaultChecked={start.allow?.includes('play')} />
            {!isBurnt && (
              <Check label={t('shares.download')} name="download" defaultChecked={start.allow?.includes('download')} />
            )}
            {may('comment.write') && (
              <Check label={t('shares.comment')} name="comment" defaultChecked={start.comment} />
            )}
            {takesFiles && (
              <Check
                label={t('shares.upload')}
                checked={takes}
                onChange={({ currentTarget }) => setTakes(currentTarget.checked)}
              />
            )}
          </>
        )}
      </fieldset>
      {takes && <Bounds start={start} />}
      {purpose === 'show' && (
        <Mark
          mark={start.mark}
          canBurn={isBurnt || terms?.burns?.includes('pictures') === true}
          {...{ isBurnt, onBurn: setBurnt }}
        />
      )}
      <More start={start} purpose={purpose} tags={tags} />
      {failure !== undefined && <RefusalNote error={failure} />}
      <div class="actions">
        <Button kind="main" type="submit" icon="link" disabled={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

interface MarkProps {
  readonly mark: ShareDocument['mark'];
  readonly canBurn: boolean;
  readonly isBurnt: boolean;
  readonly onBurn: (isBurnt: boolean) => void;
}

/** Text over what each guest sees, as it looks. */
function Mark({ mark, canBurn, isBurnt, onBurn }: MarkProps) {
  const [isOn, turn] = useState(mark !== undefined);
  const sample = { name: 'Ann Berg', address: '192.0.2.17', date: dayOf(), title: '…' };
  return (
    <>
      <Check
        label={t('shares.mark')}
        name="mark"
        checked={isOn}
        onChange={({ currentTarget }) => {
          turn(currentTarget.checked);
          onBurn(false);
        }}
      />
      {isOn && (
        <>
          <p class="mark-sample">
            {(mark?.text ?? defaultMark).replace(/\{(\w+)\}/g, (_, part: keyof typeof sample) => sample[part])} #17
          </p>
          {canBurn && (
            <Check
              label={t('shares.burn')}
              name="burn"
              checked={isBurnt}
              onChange={({ currentTarget }) => onBurn(currentTarget.checked)}
            />
          )}
          <p class="muted small">{t(isBurnt ? 'shares.burnNote' : 'shares.markNote')}</p>
        </>
      )}
    </>
  );
}

interface LifeProps extends Pick<ShareFormProps, 'start' | 'purpose'> {
  readonly maxDays: number | undefined;
}

function Life({ start: { id, ends }, purpose, maxDays }: LifeProps) {
  const lives = livesOf(purpose, maxDays);
  // A link that has ended is changed as it is. No other one ends before today.
  const ended = ends !== undefined && new Date(ends).getTime() < Date.now();
  const [life, setLife] = useState(id === undefined ? String(lives.at(-1)) : ends === undefined ? 'none' : 'date');
  const choices = [
    ...lives.map((days) => [String(days), t('shares.days', { count: days })] as const),
    ...(maxDays === undefined ? [['none', t('shares.noEnd')] as const] : []),
    ['date', t('shares.date')] as const,
  ];
  return (
    <fieldset class="row wrap">
      <legend>{t('shares.life')}</legend>
      {choices.map(([value, text]) => (
        <label key={value} class="check">
          <input type="radio" name="life" value={value} checked={life === value} onChange={() => setLife(value)} />
          <span>{text}</span>
        </label>
      ))}
      {life === 'date' && (
        <input
          class="input"
          type="date"
          name="day"
          required
          min={ended ? dayOf(ends) : dayOf()}
          aria-label={t('shares.lastDay')}
          defaultValue={dayOf(ends ?? Date.now() + Math.min(14, maxDays ?? 14) * day)}
        />
      )}
    </fieldset>
  );
}

/** The day of a time where the person is, as a date field has it. */
function dayOf(at?: string | number | undefined): string {
  const date = new Date(at ?? Date.now());
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

function Bounds({ start }: Pick<ShareFormProps, 'start'>) {
  const { files, bytes } = start.upload ?? { files: 100, bytes: 50e9 };
  const { number, unit } = sizeOf(bytes);
  return (
    <div class="document-form">
      <Field label={t('shares.files')} name="files" type="number" min={1} required defaultValue={String(files)} />
      <Field label={t('shares.size')}>
        {({ id }) => (
          <span class="row">
            <input
              {...{ id, class: 'input', name: 'size', type: 'number', min: 0.001, step: 'any', required: true }}
              defaultValue={String(number)}
            />
            <select class="input unit" name="unit" aria-label={t('shares.unit')}>
              {units.map((each) => (
                <option key={each} selected={each === unit}>
                  {each}
                </option>
              ))}
            </select>
          </span>
        )}
      </Field>
    </div>
  );
}

function More({ start, purpose, tags }: Pick<ShareFormProps, 'start' | 'purpose' | 'tags'>) {
  const [isOpen, open] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>{t(purpose === 'ask' ? 'shares.moreAsk' : 'shares.more')}</summary>
      <div class="stack">
        <div class="document-form">
          <Field
            label={t('shares.maxUses')}
            name="maxUses"
            type="number"
            min={1}
            defaultValue={numberIn(start.maxUses)}
          />
          <Field label={t('shares.note')} name="note" long maxLength={2000} rows={2} defaultValue={start.note} />
          <Check label={t('shares.asksName')} name="asksName" defaultChecked={start.asksName} />
        </div>
        {isOpen && purpose === 'show' && may('tag.read') && <Formats start={start} tags={tags} />}
      </div>
    </details>
  );
}

const numberIn = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));

/** The service chooses, unless somebody narrows it. */
function Formats({ start, tags }: Pick<ShareFormProps, 'start' | 'tags'>) {
  const [isNarrow, narrow] = useState([...(start.play ?? []), ...(start.download ?? [])].length > 0);
  const choices = useLoad(
    'tags',
    async (signal) => tags ?? (await get<URIListDocument>('/shape-tag', { signal })).uri ?? [],
  );
  return (
    <>
      <input type="hidden" name="tags" value="true" />
      <Check
        label={t('shares.onlySome')}
        checked={isNarrow}
        onChange={({ currentTarget }) => narrow(currentTarget.checked)}
      />
      <p class="muted small">{t('shares.formatsNote')}</p>
      {isNarrow && (
        <Shown of={choices}>
          {(names) => (
            <Table
              label={t('shares.formats')}
              keyOf={String}
              rows={[...new Set([...names, ...(start.play ?? []), ...(start.download ?? [])])]}
              columns={[
                { id: 'tag', title: t('library.tag'), cell: tagWords },
                ...(['play', 'download'] as const).map((use) => ({
                  id: use,
                  title: t(`shares.${use}`),
                  cell: (tag: string) => (
                    <input
                      type="checkbox"
                      name={`${use}Tag`}
                      value={tag}
                      defaultChecked={start[use]?.includes(tag)}
                      aria-label={`${t(`shares.${use}`)}: ${tagWords(tag)}`}
                    />
                  ),
                })),
              ]}
            />
          )}
        </Shown>
      )}
    </>
  );
}
