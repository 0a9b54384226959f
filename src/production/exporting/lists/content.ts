import { itemView, loadItems } from '../../../assets/items/public.ts';
import { itemListDocument } from '../../../assets/items/public-reading.ts';
import { projections } from '../../../assets/metadata/public.ts';
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

/** A line of CSV by RFC 4180. */
export const csvLine = (values: readonly string[]): string => `${values.map(csvValue).join(',')}\r\n`;

/** Text that spreadsheets would run as a formula. Numbers may begin with a sign. */
const formula = /^[=@\t\r]|^[+-](?![\d.]+$)/;

function csvValue(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

interface ListContent {
  readonly body: ReadableStream<Uint8Array>;
  /** Items so far. */
  count(): number;
}

/** Separator of several values of a field. */
const between = '; ';

/** The text of a list, made while it is read: no instance holds all of it. */
export async function contentOf(parts: ExportParts, call: Caller, memo: ListMemo): Promise<ListContent> {
  const isCsv = memo.format === 'csv' && memo.stylesheet === undefined;
  const { fields = isCsv ? ['title'] : [], data = [], p } = memo;
  const columns: [string, string][] = p === undefined ? fields.map((field) => ['field', field]) : [['p', p]];
  const query = readQuery(
    itemView,
    new Parameters([...columns, ['content', 'metadata'], ...data.map((word): [string, string] => ['include', word])]),
  );
  let written = 0;
  async function* pages() {
    for await (const ids of listedItems(parts, call, memo)) {
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
