import type { FileDocument, FileListDocument } from 'portico/types';
import { get } from '../../api/client.ts';
import { Empty, Pending } from '../../components/empty.tsx';
import { Pager } from '../../components/list-query.tsx';
import { useLoad } from '../../components/load.ts';
import { type Column, Table } from '../../components/table.tsx';
import { Bytes, Time } from '../../components/values.tsx';
import type { Query } from '../../match.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { crumbsOf, fileStateWords, nameIn } from '../storages/storages.ts';

const pageSize = 100;

/** Files and folders of one folder, which the address keeps. */
export function Files({ id, query }: { id: string; query: Query }) {
  const path = query['path'] ?? '';
  const page = Math.max(1, Number(query['page']) || 1);
  const { value, refusal, reload } = useLoad(`${id} ${path} ${page}`, (signal) =>
    get<FileListDocument>(`/storage/${encodeURIComponent(id)}/file`, {
      query: {
        path: path === '' ? '/' : path,
        recursive: false,
        prefix: true,
        prefixNumber: 1000,
        includeItem: true,
        sort: 'filename asc',
        first: (page - 1) * pageSize,
        number: pageSize,
      },
      signal,
    }),
  );
  const to = (folder: string) => `/storage/${id}${folder === '' ? '' : `?path=${encodeURIComponent(folder)}`}`;
  const folders = value?.prefixes?.prefix ?? [];
  const files = value?.file ?? [];
  const rows: readonly Row[] = [
    ...folders.map((folder) => ({ path: folder.endsWith('/') ? folder : `${folder}/` })),
    ...files.map((file) => ({ path: file.path ?? file.id ?? '', file })),
  ];
  return (
    <section class="storage-files">
      <h2>{t('storage.files')}</h2>
      <nav aria-label={t('storage.folder')} class="storage-crumbs">
        <Link to={to('')}>{id}</Link>
        {crumbsOf(path).map((crumb) => (
          <span key={crumb.path}>
            {' / '}
            <Link to={to(crumb.path)}>{crumb.name}</Link>
          </span>
        ))}
      </nav>
      {(refusal || !value) && <Pending of={{ refusal, reload }} rows={6} />}
      {value && rows.length === 0 && <Empty icon="folder-open" text={t('storage.noFiles')} />}
      {rows.length > 0 && (
        <Table label={t('storage.files')} columns={columns(to)} rows={rows} keyOf={({ path: key }) => key} />
      )}
      <Pager page={page} size={pageSize} hits={value?.hits ?? 0} />
    </section>
  );
}

/** A folder, or a file. */
interface Row {
  readonly path: string;
  readonly file?: FileDocument;
}

const columns = (to: (folder: string) => string): readonly Column<Row>[] => [
  {
    id: 'name',
    title: t('word.name'),
    cell: ({ path, file }) => (file ? nameIn(path) : <Link to={to(path)}>{nameIn(path)}/</Link>),
  },
  {
    id: 'size',
    title: t('item.size'),
    at: 'end',
    cell: ({ file }) => (file?.size === undefined || file.size < 0 ? '' : <Bytes value={file.size} />),
  },
  { id: 'state', title: t('jobs.column.state'), cell: ({ file }) => (file ? fileStateWords(file.state) : '') },
  {
    id: 'item',
    title: t('job.item'),
    cell: ({ file }) =>
      (file?.item ?? []).map(({ id }) => (
        <Link key={id} to={`/item/${id}`}>
          {id}
        </Link>
      )),
  },
  { id: 'changed', title: t('settings.changed'), cell: ({ file }) => <Time at={file?.timestamp} /> },
];
