import { escapeHtml } from '../../core/lib/html.ts';
import { durationInWords } from '../../core/lib/messages.ts';
import type { ReportDocument } from './report.ts';

const safe = (value: unknown): string => escapeHtml(String(value));

type Cell = string | number;

const classOf = (cell: Cell): string => (typeof cell === 'number' ? ' class="number"' : '');

const written = (cell: Cell): string => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell);

export const section = (title: string, content: string): string =>
  content === '' ? '' : `<section><h2>${safe(title)}</h2>${content}</section>`;

export function tableOf(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  const cells = (row: readonly Cell[]) => row.map((cell) => `<td${classOf(cell)}>${safe(written(cell))}</td>`).join('');
  const head = heads.map((each, at) => `<th${classOf(rows[0]![at]!)}>${safe(each)}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</tbody></table>`;
}

export const listOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${safe(line)}</li>`).join('')}</ul>`;

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8886;padding:.3rem .6rem;text-align:left;vertical-align:top}
.number{text-align:right!important;font-variant-numeric:tabular-nums}h2{margin-top:2rem}
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

/** Gaps of every migration. */
export const neverComes = [
  'Passwords, access keys and tokens: users choose a password by a link, or log in by a provider',
  'Jobs, and the audit log',
  'Scheduled requests: the report lists them',
  'Sequences, bulky metadata, global metadata and documents',
  'Storage rules, auto-import rules, task definitions, resources and configuration properties',
  'Notifications about a single entity, and secrets of notifications and storages',
  'What storages say of programs of the original, such as bean and archiveScript',
];

/** Count with its noun, in the plural unless it is one. */
const numberOf = (count: number, noun: string): string => `${written(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Outcome of a run in a few sentences, for the person who decides. */
function verdictOf({ state, reason, kind, failed, remark, withoutPassword }: ReportDocument): string {
  if (state === 'stopped') return `The run was stopped and did not see all: ${reason}. The same command goes on.`;
  const items = kind.find((each) => each.kind === 'item');
  const here = items ? items.made + items.changed + items.same : 0;
  const without = withoutPassword.length === 0 ? '' : ` ${numberOf(withoutPassword.length, 'user')} cannot log in yet.`;
  return [
    `${numberOf(here, 'item')} came over.`,
    failed === 0 ? 'Nothing failed.' : `${written(failed)} failed, and the next run tries again.`,
    remark.length === 0 ? 'All is as it was.' : `Not all is as it was: ${numberOf(remark.length, 'remark')}.`,
  ]
    .join(' ')
    .concat(without);
}

export function reportPage(report: ReportDocument): string {
  const { kind, failure, remark, withoutPassword, schedule, original, target, failed } = report;
  const first = failed > failure.length ? `, the first ${failure.length}` : '';
  const facts: [string, Cell][] = [
    ['From', `${report.from} (${report.version})`],
    ['To', report.to],
    ['Began', report.began],
    ['Ended', report.ended],
    ['Requests to the original', written(original.requests)],
    ['Pauses', durationInWords(original.paused / 1000)],
    ['Changes at the target', written(target.writes)],
    ['Bytes copied, with their hashes compared', written(report.copiedBytes)],
  ];
  const sections = [
    `<p><strong>${safe(verdictOf(report))}</strong></p>`,
    section(
      `What failed: ${failed}${first}`,
      tableOf(
        ['', 'id at the original', 'why'],
        failure.map((each) => [wordsOf(each.kind), each.id, each.why]),
      ),
    ),
    section(
      'What is not as it was, of all runs',
      tableOf(
        ['what', 'how often', 'some of them'],
        remark.map(({ text, count, ids }) => [text, count, ids.join(', ')]),
      ),
    ),
    section(`Users without a password: ${withoutPassword.length}`, listOf(withoutPassword)),
    section(
      'What came, in this run and before',
      tableOf(
        ['', 'here', 'new', 'changed', 'as before', 'deleted', 'failed'],
        kind.map(({ kind: name, made, changed, same, deleted, failed: lost }) => [
          ...[wordsOf(name), made + changed + same, made, changed, same, deleted, lost],
        ]),
      ),
    ),
    section(
      'Scheduled requests of the original, which do not come',
      listOf(schedule.map((each) => JSON.stringify(each))),
    ),
    section('What never comes', listOf(neverComes)),
    section('The run', tableOf(['', ''], facts).replace(/<thead>.*?<\/thead>/, '')),
  ];
  return pageOf(`Report: from ${report.from}`, [], sections.join('\n'));
}

const wordsOf = (kind: string): string => kind.replaceAll('-', ' ');
