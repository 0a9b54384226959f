import type { CollectionType, ItemListDocument, UsageListDocument, UsageTermsType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Shown } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import { Person } from '../../components/person.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { Link, type PageProps, setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { nameIn, valuesOf } from '../library/results.ts';
import { oneOf } from '../library/search.ts';
import { boundWords } from './usage.ts';

const day = 86_400_000;
const pageSize = 50;
/** Days that are looked ahead. 0: all. */
const periods = ['30', '90', '365', '0'] as const;

interface Named extends UsageTermsType {
  readonly name: string;
}

/** Names of items and collections by their ids. One that nothing tells has its id. */
async function namesOf(terms: readonly UsageTermsType[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(
    terms.flatMap(({ entityType, entityId, item }) => (entityType === 'Collection' ? [] : (item ?? entityId ?? []))),
  );
  const collections = terms.flatMap(({ entityType, entityId }) =>
    entityType === 'Collection' && entityId ? entityId : [],
  );
  const query = { content: 'metadata', terse: true, field: '__name,mediaType,created', number: ids.size, count: false };
  const ofItems = async () => {
    if (ids.size === 0) return [];
    const { item = [] } = await send<ItemListDocument>('PUT', '/item', { field: [oneOf(ids)] }, { query, signal });
    return item.map((each) => [each.id ?? '', nameIn(valuesOf(each))] as const);
  };
  const ofCollection = async (id: string) => {
    const { name = id } = await get<CollectionType>(`/collection/${id}`, { query: { number: 0 }, signal });
    return [id, name] as const;
  };
  const read = await Promise.allSettled([ofItems(), Promise.all(collections.map(ofCollection))]);
  return new Map(read.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])));
}

/** Rights that end, the next one first. */
export default function Page({ query }: PageProps) {
  const days = periods.find((each) => each === query['days']) ?? '90';
  const [number, setNumber] = useState(pageSize);
  const loaded = useLoad(`${days} ${number}`, async (signal) => {
    const until = days === '0' ? undefined : new Date(Date.now() + Number(days) * day).toISOString();
    const { usage = [] } = await get<UsageListDocument>('/usage', { query: { until, number }, signal });
    const names = await namesOf(usage, signal);
    return usage.map((each): Named => {
      const id = each.item ?? each.entityId ?? '';
      return { ...each, name: names.get(id) ?? id };
    });
  });
  const columns: readonly Column<Named>[] = [
    {
      id: 'what',
      title: t('usage.what'),
      cell: ({ entityType, entityId, item, name }) => (
        <span>
          {entityType === 'Collection' ? (
            <Link to={`/collection/${entityId}`}>{name}</Link>
          ) : (
            <Link to={`/item/${item ?? entityId}?tab=usage`}>{name}</Link>
          )}{' '}
          {entityType && entityType !== 'Item' && <span class="muted small">{t(`usage.kind.${entityType}`)}</span>}
        </span>
      ),
    },
    { id: 'until', title: t('usage.until'), cell: ({ usableUntil }) => boundWords(usableUntil, true) },
    { id: 'left', title: t('usage.left'), cell: ({ usableUntil }) => <Time at={usableUntil} /> },
    { id: 'reason', title: t('usage.reason'), cell: ({ reason }) => reason },
    { id: 'by', title: t('usage.by'), cell: ({ user }) => user && <Person user={user} /> },
  ];
  return (
    <div class="page stack">
      <header class="page-head">
        <h1>{t('usage.ending')}</h1>
      </header>
      <div class="row wrap">
        <Field
          label={t('usage.period')}
          value={days}
          onChange={({ currentTarget }) => setQuery({ days: currentTarget.value })}
          options={periods.map((each) => [
            each,
            t(each === '0' ? 'usage.ever' : 'usage.days', { count: Number(each) }),
          ])}
        />
        <Link to="/?f=__usage:ended">{t('library.rightsEnded')}</Link>
      </div>
      <Shown of={loaded}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="clock" text={t('usage.endsNothing')} />
          ) : (
            <Table
              label={t('usage.ending')}
              columns={columns}
              rows={rows}
              keyOf={({ entityType, entityId }) => `${entityType} ${entityId}`}
            />
          )
        }
      </Shown>
      {(loaded.value?.length ?? 0) >= number && (
        <p>
          <Button onClick={() => setNumber(number + pageSize)}>{t('word.more')}</Button>
        </p>
      )}
    </div>
  );
}
