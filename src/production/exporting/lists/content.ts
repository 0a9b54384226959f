import { itemView, loadItems } from '../../../assets/items/public.ts';
import { itemListDocument } from '../../../assets/items/public-reading.ts';
import {
  columnAndHead,
  columnPaths,
  isTimeColumn,
  projections,
  rowsOfColumns,
} from '../../../assets/metadata/public.ts';
import { csvLine, joinedTexts } from '../../../core/lib/csv.ts';
import { textStream } from '../../../core/lib/text-stream.ts';
import { readQuery } from '../../../http/parameters/index.ts';
import { streamList } from '../../../http/render-list.ts';
import { JobFails } from '../../../room/jobs/job-type.ts';
import type { Caller } from '../../../security/caller.ts';
import { Parameters } from '../../../security/parameters.ts';
import type { ExportParts } from '../parts.ts';
import { projectionFails } from '../running/sidecar.ts';
import { listedItems } from './items.ts';
import type { ListMemo } from './list-job.ts';

interface ListContent {
  readonly body: ReadableStream<Uint8Array>;
  /** Items so far. */
  count(): number;
}

/** The text of a list, made while it is read: no instance holds all of it. */
export async function contentOf(parts: ExportParts, call: Caller, memo: ListMemo): Promise<ListContent> {
  const isCsv = memo.format === 'csv' && memo.stylesheet === undefined;
  const { fields = isCsv ? ['title'] : [], data = [], p } = memo;
  const shown = isCsv ? fieldsOfColumns(fields) : fields;
  const columns: [string, string][] = p === undefined ? shown.map((field) => ['field', field]) : [['p', p]];
  const query = readQuery(
    itemView,
    new Parameters([...columns, ['content', 'metadata'], ...data.map((word): [string, string] => ['include', word])]),
  );
  let written = 0;
  async function* pages() {
    for await (const ids of listedItems(parts, call, memo)) {
      const items = await loadItems(parts, call, ids, query);
      yield items;
      written += items.length;
    }
  }
  const count = () => written;
  if (isCsv) return { body: textStream(linesOf(fields, pages())), count };
  const spans = async function* () {
    // Clients read both ends of every item of a list.
    for await (const items of pages()) yield items.map((item) => ({ ...item, start: '-INF', end: '+INF' }));
  };
  const type = memo.format === 'json' && memo.stylesheet === undefined ? 'application/json' : 'application/xml';
  const { body } = await streamList(parts.render, type, itemListDocument, 'item', spans());
  const list = body.bytes();
  return { body: memo.stylesheet === undefined ? list : await styled(parts, list, memo.stylesheet), count };
}

/** A stylesheet looks at the whole of a list. */
const maxStyledLength = 8 * 1024 * 1024;

async function* once(text: string): AsyncGenerator<string, void> {
  yield text;
}

async function styled(parts: ExportParts, list: ReadableStream<Uint8Array>, stylesheet: string) {
  const decoder = new TextDecoder();
  let document = '';
  for await (const bytes of list) {
    document += decoder.decode(bytes, { stream: true });
    if (document.length > maxStyledLength) {
      throw new JobFails(`Expected a list of at most ${maxStyledLength} characters for a stylesheet`);
    }
  }
  try {
    const { text } = await parts.hooks.need(projections).transform({ name: 'list', stylesheet }, document);
    return textStream(once(text));
  } catch (error) {
    throw projectionFails(error, 'list');
  }
}

type Pages = AsyncGenerator<Awaited<ReturnType<typeof loadItems>>, void>;

/** Names of the fields that columns show. */
const fieldsOfColumns = (fields: readonly string[]): readonly string[] =>
  columnPaths(fields.map((text) => columnAndHead(text)[0])).flatMap(({ field }) => (isTimeColumn(field) ? [] : field));

async function* linesOf(fields: readonly string[], pages: Pages): AsyncGenerator<string, void> {
  const columns = fields.map(columnAndHead);
  const names = columns.map(([column]) => column);
  yield csvLine(['itemId', ...columns.map(([, head]) => head)]);
  for await (const items of pages) {
    const lines = items.flatMap(({ id = '', metadata = {} }) =>
      rowsOfColumns(metadata, names).map((texts) => csvLine([id, ...texts.map(joinedTexts)])),
    );
    if (lines.length > 0) yield lines.join('');
  }
}
