import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { readByPostgres, unknownFunctions } from './grammar.ts';
import kept from './kept.json' with { type: 'json' };

/**
 * `npm run test:postgresql`: runs suites that reach every room, gathers the statements that they send to databases, and
 * lets PostgreSQL's parser read them. What it refuses is counted in `kept.json`.
 */

const file = 'node_modules/.cache/portico.statements';
const suites = [
  'security/rights-matrix',
  'security/role-matrix',
  'clients/production',
  'clients/recorded',
  'clients/vdt',
];

/** True for words of a connection, which no store sends. */
const isOfConnection = (sql: string): boolean => /^(?:BEGIN|PRAGMA|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/.test(sql);

rmSync(file, { force: true });
const words = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'all', '--reporter', 'dot'];
const { PORTICO_LONG: _, ...others } = process.env;
const environment = { ...others, PORTICO_STATEMENTS: file };
const tests = suites.map((suite) => `test/${suite}`);
const { status } = spawnSync(process.execPath, [...words, ...tests], { stdio: 'inherit', env: environment });

const lines = new Set(readFileSync(file, 'utf8').trim().split('\n'));
const statements = [...lines].map((line): string => JSON.parse(line)).filter((sql) => !isOfConnection(sql));
const { refused, functions } = readByPostgres(statements);
console.log(`PostgreSQL's parser refuses of ${statements.length} statements: ${JSON.stringify(refused)}`);

const unknown = unknownFunctions(functions);
if (unknown.length > 0) console.log(`Expected in grammar.ts, if PostgreSQL has them: ${unknown.join(', ')}`);
const isKept = isDeepStrictEqual(refused, kept.statements);
if (!isKept) {
  console.log(
    `Expected in kept.json: ${JSON.stringify(kept.statements)}. Where a number rises, use other words; where it falls, lower it`,
  );
}
process.exitCode = status === 0 && isKept && unknown.length === 0 ? 0 : 1;
