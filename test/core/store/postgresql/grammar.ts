import { loadModule, parseSync } from 'libpg-query';

await loadModule();

/** Texts, quoted names and comments stay as they are. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*/;

/** Lower-case names of columns and tables that PostgreSQL reserves. Our keywords are in upper case. */
const reserved = /\b(?:user|end|grant)\b/;

type Rewriting = readonly [pattern: RegExp, replacement: string];

/** Constructs that a pattern can say. Numbers of values and reserved names need to know what is quoted. */
const rewritings: readonly Rewriting[] = [
  [/\bINDEXED BY "?\w+"?|\bNOT INDEXED\b/g, ''],
  [/\bGLOB\b/g, '~'],
  [/\bIS NOT (?!NULL|TRUE|FALSE|DISTINCT|UNKNOWN)/g, 'IS DISTINCT FROM '],
  [/\bIS (?!NOT\b|NULL|TRUE|FALSE|DISTINCT|UNKNOWN)/g, 'IS NOT DISTINCT FROM '],
  [/\bINSERT OR FAIL\b/g, 'INSERT'],
  [/\) WITHOUT ROWID\b/g, ')'],
  [/\bAUTOINCREMENT\b/g, ''],
];

/** The statement in the words of PostgreSQL, as far as a table of patterns can say them. */
export function rewritten(statement: string): string {
  let number = 0;
  const outside = new RegExp(`${quoted.source}|\\?(\\d*)|${reserved.source}`, 'g');
  let sql = statement.replace(outside, (part, given: string | undefined) => {
    if (part.startsWith('?')) return `$${given || ++number}`;
    return reserved.test(part) && !/^['"-]/.test(part) ? `"${part}"` : part;
  });
  for (const [pattern, replacement] of rewritings) sql = sql.replace(pattern, replacement);
  if (/\bINSERT OR IGNORE\b/.test(sql)) sql = `${sql.replace('INSERT OR IGNORE', 'INSERT')} ON CONFLICT DO NOTHING`;
  return joined(sql);
}

/** CROSS JOIN with a condition: the word only keeps the order of SQLite's planner. */
function joined(sql: string): string {
  return sql.replace(/\bCROSS JOIN\b/g, (words, at: number) => {
    let depth = 0;
    for (const [word] of sql.slice(at + words.length).matchAll(/'(?:[^']|'')*'|[()]|\b[A-Z]+\b/g)) {
      if (word === '(') depth++;
      else if (word === ')' && --depth < 0) break;
      else if (depth > 0) continue;
      else if (word === 'ON' || word === 'USING') return 'JOIN';
      else if (/^(?:JOIN|CROSS|LEFT|WHERE|GROUP|ORDER|LIMIT|UNION|EXCEPT|RETURNING)$/.test(word)) break;
    }
    return words;
  });
}

/** Number of refused statements, by the word where the parser stops. */
type Refused = Readonly<Record<string, number>>;

/** Reads statements after the rewriting. `functions`: all that they call, by name. */
export function readByPostgres(statements: Iterable<string>): { refused: Refused; functions: ReadonlySet<string> } {
  const refused: Record<string, number> = {};
  const functions = new Set<string>();
  for (const statement of statements) {
    try {
      JSON.stringify(parseSync(rewritten(statement)), (key, node) => {
        if (key === 'FuncCall') functions.add(node.funcname.at(-1).String.sval);
        return node;
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const [, word = message] = /at or near "(.*)"/.exec(message) ?? [];
      refused[word] = (refused[word] ?? 0) + 1;
    }
  }
  return { refused, functions };
}

/** PostgreSQL has no function of this name, or one with another meaning: a schema would have to make it. */
const missing = new Set(
  `ifnull iif instr json_each json_array_length json_extract json_group_array json_group_object json_insert json_object
  json_patch json_set printf total`.split(/\s+/),
);

const shared = new Set(
  'abs count length like_escape max min octet_length replace row_number rtrim substr sum upper'.split(' '),
);

/** Functions of neither list. */
export const unknownFunctions = (functions: ReadonlySet<string>): string[] =>
  [...functions].filter((name) => !missing.has(name) && !shared.has(name)).sort();
