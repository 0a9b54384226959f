import { escapeHtml } from '../../core/lib/html.ts';
import type { ReportDocument } from './report.ts';

const safe = (value: unknown): string => escapeHtml(String(value));

type Cell = string | number;

export const section = (title: string, content: string): string =>
  content === '' ? '' : `<section><h2>${safe(title)}</h2>${content}</section>`;

export function tableOf(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  const cells = (row: readonly Cell[]) =>
    row.map((cell) => `<td${typeof cell === 'number' ? ' class="number"' : ''}>${safe(cell)}</td>`).join('');
  const head = heads.map((each) => `<th>${safe(each)}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</tbody></table>`;
}

export const listOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${safe(line)}</li>`).join('')}</ul>`;

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8886;padding:.3rem .6rem;text-align:left;vertical-align:top}
.number{text-align:right;font-variant-numeric:tabular-nums}h2{margin-top:2rem}
@media(prefers-color-scheme:dark){body{background:#111;color:#eee}}`;

/** A page that needs nothing else, and runs nothing. */
export const pageOf = (title: string, facts: readonly (readonly [string, Cell])[], content: string): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${safe(title)}</title><style>${style}</style></head><body><h1>${safe(title)}</h1>`,
    tableOf(['', ''], facts).replace(/<thead>.*?<\/thead>/, ''),
    content,
    '</body></html>\n',
  ].join('\n');

export function reportPage(report: ReportDocument): string {
  const { kind, failure, remark, withoutPassword, schedule, original, target } = report;
  const facts: [string, Cell][] = [
    ['From', `${report.from} (${report.version})`],
    ['To', report.to],
    ['State', report.reason === undefined ? report.state : `${report.state}: ${report.reason}`],
    ['Began', report.began],
    ['Ended', report.ended],
    ['Requests to the original', original.requests],
    ['Seconds of pauses', Math.round(original.paused / 1000)],
    ['Changes at the target', target.writes],
    ['Bytes copied, with their hashes compared', report.copiedBytes],
  ];
  const sections = [
    section(
      'What came',
      tableOf(
        ['', 'new', 'changed', 'as before', 'deleted', 'failed'],
        kind.map((each) => [each.kind, each.made, each.changed, each.same, each.deleted, each.failed]),
      ),
    ),
    section(
      `What failed: ${report.failed}`,
      tableOf(
        ['', 'id', 'why'],
        failure.map((each) => [each.kind, each.id, each.why]),
      ),
    ),
    section(
      'What is not as it was',
      tableOf(
        ['what', 'how often', 'some of them'],
        remark.map(({ text, count, ids }) => [text, count, ids.join(', ')]),
      ),
    ),
    section('Users without a password', listOf(withoutPassword)),
    section(
      'Scheduled requests of the original, which do not come',
      listOf(schedule.map((each) => JSON.stringify(each))),
    ),
  ];
  return pageOf('Migration', facts, sections.join('\n'));
}
