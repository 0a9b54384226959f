import type {
  FileFixityType,
  FixityDocument,
  FixityListDocument,
  FixityScheduleType,
  StorageListDocument,
} from 'portico/types';
import { get, send } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import type { Part } from '../../components/document.ts';
import { Empty, Shown } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { Head } from '../../components/head.tsx';
import { Pager, pageIn } from '../../components/list-query.tsx';
import { useLoad } from '../../components/load.ts';
import { Records } from '../../components/records.tsx';
import { act } from '../../components/refusal.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Bar, Time } from '../../components/values.tsx';
import { has, may } from '../../rights.ts';
import { Link, type PageProps, setQuery } from '../../router.tsx';
import { numberText, t } from '../../texts/index.ts';
import { nameOf } from '../storages/storages.ts';
import '../quota/page.css';

const pageSize = 50;
const standard: FixityScheduleType = { days: 90, bytesPerSecond: 20_000_000 };

/** States in the order of their weight. */
const states = ['changed', 'missing', 'unhashed', 'waiting', 'verified'] as const;
const tones = { changed: 'bad', missing: 'bad', unhashed: undefined, waiting: undefined, verified: 'good' } as const;

const address = ({ storage = '' }: FixityScheduleType): string => `/storage/${encodeURIComponent(storage)}/fixity`;
/** A state, and how many files have it. */
const stateText = (state: (typeof states)[number], { [state]: count = 0 }: FixityScheduleType): string =>
  `${t(`fixity.state.${state}`)}: ${numberText(count)}`;
const isDamaged = ({ changed = 0, missing = 0 }: FixityScheduleType): boolean => changed + missing > 0;

/** Storages whose files are read again, and what was found in them. */
export default function Page({ query }: PageProps) {
  const names = useLoad('storages', async (signal) => {
    const { storage = [] } = await get<StorageListDocument>('/storage', { query: { displayName: true }, signal });
    return new Map(storage.map((each) => [each.id ?? '', nameOf(each)]));
  });
  const schedules = useLoad('fixity', async (signal) =>
    ((await get<FixityListDocument>('/storage/fixity', { signal })).fixity ?? []).toSorted(
      (one, other) => Number(isDamaged(other)) - Number(isDamaged(one)),
    ),
  );
  const storage = query['storage'] ?? schedules.value?.find(isDamaged)?.storage ?? schedules.value?.[0]?.storage;
  return (
    <div class="page stack quota">
      <Head to="/storages" up={t('nav.storages')} title={t('fixity.title')} />
      <p class="muted">{t('fixity.about')}</p>
      <Shown of={names}>
        {(storages) => (
          <>
            <Schedules names={storages} onChanged={() => void schedules.reload()} />
            {storage !== undefined && has('_file_read') && (
              <Files key={storage} {...{ storage, query }} name={storages.get(storage) ?? storage} />
            )}
          </>
        )}
      </Shown>
    </div>
  );
}

interface SchedulesProps {
  readonly names: ReadonlyMap<string, string>;
  readonly onChanged: () => void;
}

function Schedules({ names, onChanged }: SchedulesProps) {
  const nameIn = ({ storage = '' }: FixityScheduleType) => names.get(storage) ?? storage;
  const parts = (before: FixityScheduleType | undefined): readonly Part[] => [
    ...(before
      ? []
      : [{ at: 'storage', label: t('fixity.storage'), required: true, options: [['', ''] as const, ...names] }]),
    { at: 'days', label: t('fixity.days'), hint: t('fixity.daysHint'), kind: 'number', min: 1, required: true },
    { at: 'bytesPerSecond', label: t('fixity.rate'), hint: t('fixity.rateHint'), kind: 'size' },
  ];
  const change = async (work: Promise<unknown>) => {
    await work;
    onChanged();
  };
  const columns: readonly Column<FixityScheduleType>[] = [
    {
      id: 'storage',
      title: t('fixity.storage'),
      cell: (each) => <Link to={`/fixity?storage=${each.storage}`}>{nameIn(each)}</Link>,
    },
    {
      id: 'progress',
      title: t('fixity.progress'),
      cell: (each) => {
        const { waiting = 0, verified = 0, changed = 0, missing = 0 } = each;
        const done = verified + changed + missing;
        const count = done + waiting;
        const rest = t('fixity.plan', { count: each.days });
        return (
          <div class="quota-usage">
            <Bar label={t('fixity.progressOf', { name: nameIn(each) })} value={count === 0 ? 0 : done / count} />
            <span>{t('fixity.of', { done, count, rest })}</span>
          </div>
        );
      },
    },
    {
      id: 'found',
      title: t('fixity.found'),
      cell: (each) => (
        <span class="row wrap">
          {!isDamaged(each) && <Mark tone="good">{t('fixity.well')}</Mark>}
          {(['changed', 'missing', 'unhashed'] as const).map(
            (state) =>
              each[state] && (
                <Mark key={state} tone={tones[state]}>
                  {stateText(state, each)}
                </Mark>
              ),
          )}
        </span>
      ),
    },
    { id: 'due', title: t('fixity.due'), cell: ({ due }) => <Time at={due} /> },
  ];
  return (
    <Records<FixityScheduleType>
      title={t('fixity.title')}
      icon="storages"
      none={t('fixity.none')}
      make={t('fixity.make')}
      writable={may('storage.write')}
      load={async (signal) => (await get<FixityListDocument>('/storage/fixity', { signal })).fixity ?? []}
      nameOf={nameIn}
      columns={columns}
      parts={parts}
      blank={standard}
      save={({ days, bytesPerSecond, ...each }) =>
        change(send('PUT', address({ ...each, days }), { days, bytesPerSecond }))
      }
      remove={(each) => change(send('DELETE', address(each)))}
    />
  );
}

interface FilesProps extends Pick<PageProps, 'query'> {
  readonly storage: string;
  readonly name: string;
}

/** Files of one storage with one outcome. */
function Files({ storage, name, query }: FilesProps) {
  const page = pageIn(query);
  const path = address({ storage, days: 0 });
  const loaded = useLoad(`${path} ${query['state']} ${page}`, async (signal) => {
    const counts = await get<FixityDocument>(path, { query: { number: 0 }, signal });
    const state = [query['state'], ...states.filter((each) => counts[each]), 'changed'].find(Boolean);
    const filter = { state, first: (page - 1) * pageSize + 1, number: pageSize };
    const { file = [], hits = 0 } = await get<FixityDocument>(path, { query: filter, signal });
    return { counts, state, file, hits };
  });
  const again = ({ id = '' }: FileFixityType) =>
    act(() => send('POST', `/file/${encodeURIComponent(id)}/fixity`), t('fixity.queued')).then(loaded.reload);
  const columns: readonly Column<FileFixityType>[] = [
    { id: 'file', title: t('fixity.file'), cell: ({ path: file, id }) => <span class="any-name">{file ?? id}</span> },
    {
      id: 'state',
      title: t('fixity.state'),
      cell: ({ state: each = 'waiting' }) => <Mark tone={tones[each]}>{t(`fixity.state.${each}`)}</Mark>,
    },
    { id: 'message', title: t('fixity.message'), cell: ({ message }) => message },
    { id: 'checked', title: t('fixity.checked'), cell: ({ checked }) => <Time at={checked} /> },
    {
      id: 'tools',
      title: '',
      at: 'end',
      cell: (file) => has('_file_write') && <Button onClick={() => void again(file)}>{t('fixity.again')}</Button>,
    },
  ];
  return (
    <section class="stack" aria-labelledby="fixity-files">
      <header class="page-head">
        <h2 id="fixity-files">{t('fixity.files', { name })}</h2>
        <Field
          label={t('fixity.state')}
          value={loaded.value?.state}
          options={states.map((each) => [each, stateText(each, loaded.value?.counts ?? standard)])}
          onChange={({ currentTarget }) => setQuery({ storage, state: currentTarget.value, page: undefined })}
        />
      </header>
      <Shown of={loaded}>
        {({ file, hits }) =>
          file.length === 0 ? (
            <Empty icon="check" text={t('fixity.noFiles')} />
          ) : (
            <>
              <Table label={t('fixity.files', { name })} columns={columns} rows={file} keyOf={({ id = '' }) => id} />
              <Pager page={page} size={pageSize} hits={hits} />
            </>
          )
        }
      </Shown>
    </section>
  );
}
