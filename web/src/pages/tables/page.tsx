import type {
  JobDocument,
  MetadataTableDocument,
  MetadataTablePreviewDocument,
  MetadataTableProblemType,
} from 'portico/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { onEvent } from '../../api/events.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Empty, Shown } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { WorkForm } from '../../components/form-dialog.tsx';
import { useEvery, useLoad } from '../../components/load.ts';
import { act, lacksRole } from '../../components/refusal.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Bar } from '../../components/values.tsx';
import { may } from '../../rights.ts';
import { Link, navigate, type PageProps } from '../../router.tsx';
import { sizeText, t } from '../../texts/index.ts';
import { datum, isOpen } from '../jobs/jobs.ts';
import { useFields } from '../library/fields.ts';
import '../when-asked.css';
import { type Options, queryOf, standard, type TableColumn, type Use, useOf, withUse } from './tables.ts';

const path = '/import/metadata-table';
/** Bytes from which the heads and the first rows are read. */
const previewBytes = 256 * 1024;
const pageSize = 50;
/** Milliseconds between two looks at an import that goes on. */
const lookPause = 1_500;
/** Problems that the service keeps. */
const maxProblems = 1000;

interface Chosen {
  readonly file: File;
  readonly options: Options;
}

/** Tables of this tab by their ids: after a check they can be imported as they are. */
const sent = new Map<string, Chosen>();

async function begin({ file, options }: Chosen, dryRun: boolean): Promise<void> {
  const query = { ...queryOf(options), dryRun };
  // Bytes of the file as they are: the browser may call them a spreadsheet.
  const job = await send<JobDocument>('POST', path, new Blob([file], { type: 'text/csv' }), { query });
  const id = datum(job, 'tableId') ?? '';
  sent.set(id, { file, options });
  navigate(`/table/${encodeURIComponent(id)}`);
}

/** Imports of metadata as tables: a new one, or how far one is. */
export default function Page({ params: { table } }: PageProps) {
  if (!may('item.edit')) return <Empty icon="lock" text={lacksRole('_metadata_write')} />;
  return (
    <div class="page stack tables">{table === undefined ? <NewTable /> : <Import key={table} table={table} />}</div>
  );
}

function NewTable() {
  const chooser = useRef<HTMLInputElement>(null);
  const [chosen, choose] = useState<Chosen>();
  const take = (file: File | undefined) => file && choose({ file, options: standard });
  return (
    <>
      <h1>{t('tables.title')}</h1>
      <p>{t('tables.about')}</p>
      <div
        class="card stack"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          event.stopPropagation();
          take(event.dataTransfer?.files[0]);
        }}
      >
        <div class="row wrap">
          <Button kind={chosen ? undefined : 'main'} icon="table" onClick={() => chooser.current?.click()}>
            {t(chosen ? 'tables.other' : 'tables.choose')}
          </Button>
          {chosen && (
            <span>
              {chosen.file.name} <span class="muted">{sizeText(chosen.file.size)}</span>
            </span>
          )}
        </div>
        <input
          ref={chooser}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          hidden
          aria-label={t('tables.choose')}
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        {!chosen && <p class="muted small">{t('tables.how')}</p>}
      </div>
      {chosen && <Preview chosen={chosen} onChange={(options) => choose({ ...chosen, options })} />}
    </>
  );
}

interface PreviewProps {
  readonly chosen: Chosen;
  readonly onChange: (options: Options) => void;
}

/** How the columns would be read, with what the person may choose otherwise. */
function Preview({ chosen, onChange }: PreviewProps) {
  const { file, options } = chosen;
  const loaded = useLoad(`${file.name} ${file.lastModified} ${JSON.stringify(options)}`, (signal) =>
    send<MetadataTablePreviewDocument>('POST', `${path}/preview`, file.slice(0, previewBytes, 'text/csv'), {
      query: queryOf(options),
      signal,
    }),
  );
  const fields = useFields(true) ?? [];
  const choices = fields.flatMap(({ name, label, isSystem }) =>
    isSystem ? [] : [[`field:${name}`, label === name ? name : `${label} (${name})`] as const],
  );
  const optionsFor = (column: TableColumn): readonly (readonly [string, string])[] => {
    const now = useOf(column);
    const { nearest } = column;
    return [
      ...(now === '' ? [['', t('tables.unknown')] as const] : []),
      ...(nearest ? [[`field:${nearest}`, t('tables.nearest', { name: nearest })] as const] : []),
      ['key', t('tables.key')],
      ['ignored', t('tables.ignored')],
      // A field in a group, or a bound of the timespan, is no choice but of the column that has its name.
      ...(['', 'key', 'ignored', ...choices.map(([value]) => value)].includes(now)
        ? []
        : [[now, column.field ?? now] as const]),
      ...choices.filter(([value]) => value !== `field:${nearest}`),
    ];
  };
  return (
    <Shown of={loaded} rows={6}>
      {({ column = [], row = [], problem = [] }) => {
        const unknownHeads = column.flatMap(({ use, head }) => (use === 'unknown' ? head : []));
        const unknown = unknownHeads.length;
        const others = problem.filter((each) => !unknownHeads.includes(each.column ?? ''));
        const isWrong = problem.length > 0 || loaded.refusal !== undefined;
        const columns: readonly Column<TableColumn & { readonly at: number }>[] = [
          { id: 'head', title: t('tables.column'), cell: ({ head }) => <strong>{head}</strong> },
          {
            id: 'samples',
            title: t('tables.samples'),
            cell: ({ at }) => (
              <span class="samples muted">
                {row
                  .flatMap(({ value = [] }) => value[at] || [])
                  .slice(0, 3)
                  .join(' · ')}
              </span>
            ),
          },
          {
            id: 'use',
            title: t('tables.becomes'),
            cell: (each) => (
              <select
                class="input"
                aria-label={t('tables.becomesOf', { head: each.head })}
                aria-invalid={each.use === 'unknown' || undefined}
                value={useOf(each)}
                onChange={({ currentTarget: { value } }) => onChange(withUse(options, each.head, value as Use))}
              >
                {optionsFor(each).map(([value, text]) => (
                  <option key={value} value={value} selected={value === useOf(each)}>
                    {text}
                  </option>
                ))}
              </select>
            ),
          },
        ];
        return (
          <>
            <Table
              label={t('tables.columns')}
              columns={columns}
              rows={column.map((each, at) => ({ ...each, at }))}
              keyOf={({ at }) => String(at)}
            />
            <div class="row wrap">
              <Field
                label={t('tables.keys')}
                value={options.key}
                options={[
                  ['id', t('tables.keys.id')],
                  ['filename', t('tables.keys.filename')],
                ]}
                onChange={({ currentTarget: { value } }) => onChange({ ...options, key: value as Options['key'] })}
              />
              <Field
                label={t('tables.empty')}
                value={options.empty}
                options={[
                  ['keep', t('tables.empty.keep')],
                  ['clear', t('tables.empty.clear')],
                ]}
                onChange={({ currentTarget: { value } }) => onChange({ ...options, empty: value as Options['empty'] })}
              />
            </div>
            {unknown > 0 && <p role="status">{t('tables.unknownCount', { count: unknown })}</p>}
            <Problems problems={others} count={others.length} />
            <div class="row wrap">
              <WorkForm
                class="row"
                action={t('tables.import')}
                kind="main"
                disabled={isWrong}
                work={() => begin(chosen, false)}
              />
              <WorkForm class="row" action={t('tables.check')} disabled={isWrong} work={() => begin(chosen, true)} />
            </div>
          </>
        );
      }}
    </Shown>
  );
}

interface ProblemsProps {
  readonly problems: readonly MetadataTableProblemType[];
  /** Number of all. */
  readonly count: number;
}

function Problems({ problems, count }: ProblemsProps) {
  if (count === 0) return null;
  const columns: readonly Column<MetadataTableProblemType>[] = [
    { id: 'row', title: t('tables.row'), at: 'end', cell: ({ row }) => row },
    { id: 'column', title: t('tables.column'), cell: ({ column }) => column },
    { id: 'value', title: t('tables.value'), cell: ({ value }) => value },
    { id: 'expected', title: t('tables.problem'), cell: ({ expected }) => expected },
  ];
  return (
    <section class="stack" aria-label={t('tables.problems', { count })}>
      <h2>{t('tables.problems', { count })}</h2>
      <Table label={t('tables.problems', { count })} columns={columns} rows={problems} keyOf={JSON.stringify} />
    </section>
  );
}

/** How far an import is, what was wrong, and the way back. */
function Import({ table }: { readonly table: string }) {
  const at = `${path}/${encodeURIComponent(table)}`;
  const [number, setNumber] = useState(pageSize);
  const loaded = useLoad(`${table} ${number}`, (signal) =>
    get<MetadataTableDocument>(at, { query: { number }, signal }),
  );
  const { value, reload } = loaded;
  const isBusy = value !== undefined && (isOpen(value) || isOpen({ status: value.undo?.status ?? '' }));
  useEvery(isBusy ? lookPause : undefined, reload);
  useEffect(() => onEvent('job/*', () => void reload()), [table]);
  const chosen = sent.get(table);
  return (
    <>
      <h1 class="any-name">{t('tables.importOf', { name: chosen?.file.name ?? table })}</h1>
      <Shown of={loaded} rows={5}>
        {(now) => {
          const { jobId, status, dryRun, rows, differing, changed, problems, problem = [], undo } = now;
          const isDone = !isOpen(now);
          const isUndoing = undo !== undefined && isOpen({ status: undo.status ?? '' });
          const canUndo = isDone && !dryRun && changed > 0 && !isUndoing && (undo === undefined || undo.problems > 0);
          return (
            <>
              <section class="card stack" aria-label={t('tables.import')}>
                <p class="row wrap" role="status">
                  <Mark tone={!isDone ? 'live' : problems > 0 ? 'bad' : status.startsWith('FINISHED') ? 'good' : 'bad'}>
                    {stateText(now)}
                  </Mark>
                </p>
                {!isDone && <Bar label={t('tables.import')} value={differing > 0 ? changed / differing : undefined} />}
                <p>{t('tables.counts', { rows, differing })}</p>
                {!dryRun && <p>{t('tables.changed', { count: changed })}</p>}
                {isDone && problems > 0 && <p>{t(changed > 0 ? 'tables.some' : 'tables.nothing')}</p>}
                {undo && (
                  <p role="status">{t(isUndoing ? 'tables.undoing' : 'tables.undone', { count: undo.undone })}</p>
                )}
                <div class="row wrap">
                  {isDone && dryRun && problems === 0 && chosen && (
                    <WorkForm class="row" kind="main" action={t('tables.import')} work={() => begin(chosen, false)} />
                  )}
                  {canUndo && (
                    <AskButton
                      action={t('tables.undo')}
                      question={t('tables.undoQuestion', { count: changed })}
                      onYes={() => act(() => send('PUT', `${at}/undo`)).then(reload)}
                    />
                  )}
                  {isDone && (
                    <Link to="/tables" class="button">
                      {t('tables.again')}
                    </Link>
                  )}
                  {may('job.read') && <Link to={`/job/${encodeURIComponent(jobId)}`}>{t('library.showJob')}</Link>}
                </div>
              </section>
              <Problems problems={problem} count={problems} />
              <Problems problems={undo?.problem ?? []} count={undo?.problems ?? 0} />
              {number < Math.min(Math.max(problems, undo?.problems ?? 0), maxProblems) && (
                <p>
                  <Button onClick={() => setNumber(number + pageSize)}>{t('word.more')}</Button>
                </p>
              )}
            </>
          );
        }}
      </Shown>
    </>
  );
}

/** State of an import in words. */
function stateText({ status, dryRun, problems, changed, differing }: MetadataTableDocument): string {
  if (isOpen({ status })) return t(differing > 0 && changed > 0 ? 'tables.writing' : 'tables.checking');
  if (problems > 0) return t('tables.problems', { count: problems });
  if (!status.startsWith('FINISHED')) return t('tables.stopped');
  return t(dryRun ? 'tables.right' : 'tables.finished');
}
