import { itemListDocument } from '../../assets/documents/item.ts';
import { itemView, loadItems } from '../../assets/items/load.ts';
import type { Call } from '../../http/call.ts';
import { readQuery } from '../../http/parameters/index.ts';
import { streamList } from '../../http/render-list.ts';
import { textStream } from '../../lib/text-stream.ts';
import { Parameters } from '../../security/parameters.ts';
import type { ExportParts } from '../parts.ts';
import type { AskedList } from './asked.ts';
import { csvLine } from './csv.ts';
import { listedItems } from './items.ts';

export interface ListContent {
  readonly body: ReadableStream<Uint8Array>;
  /** Items so far. */
  count(): number;
}

/** Between the values of one field. */
const between = '; ';

/** The text of a list, made while it is read: no instance holds all of it. */
export async function contentOf(parts: ExportParts, call: Call, asked: AskedList): Promise<ListContent> {
  const { fields = asked.format === 'csv' ? ['title'] : [], data = [], p } = asked;
  const given: [string, string][] = p === undefined ? fields.map((field) => ['field', field]) : [['p', p]];
  const isCsv = asked.format === 'csv';
  const query = readQuery(
    itemView,
    new Parameters([...given, ['content', 'metadata'], ...data.map((word): [string, string] => ['include', word])]),
  );
  let written = 0;
  async function* pages() {
    for await (const ids of listedItems(parts, call, asked)) {
      yield await loadItems(parts, call, ids, { ...query, terse: isCsv });
      written += ids.length;
    }
  }
  const count = () => written;
  if (isCsv) return { body: textStream(linesOf(fields, pages())), count };
  const spans = async function* () {
    // Clients read both ends of every item of a list.
    for await (const items of pages()) yield items.map((item) => ({ ...item, start: '-INF', end: '+INF' }));
  };
  const type = asked.format === 'xml' ? 'application/xml' : 'application/json';
  const { body } = await streamList(parts.render, type, itemListDocument, 'item', spans());
  return { body: body as ReadableStream<Uint8Array>, count };
}

type Pages = AsyncGenerator<Awaited<ReturnType<typeof loadItems>>, void>;

async function* linesOf(fields: readonly string[], pages: Pages): AsyncGenerator<string, void> {
  const names = fields.map((field) => field.slice(field.indexOf(':') + 1));
  yield csvLine(['itemId', ...names]);
  for await (const items of pages) {
    const lines = items.map(({ id = '', terse }) => {
      const texts = names.map((name) => terse?.values?.get(name)?.map(({ value }) => value) ?? []);
      return csvLine([id, ...texts.map((values) => values.join(between))]);
    });
    if (lines.length > 0) yield lines.join('');
  }
}
