import { Worker } from 'node:worker_threads';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { exceptionDocument, problemDocument, readXml } from '../../src/core/documents/index.ts';
import { formList } from '../../src/http/forms.ts';
import { openApiParts } from '../../src/http/openapi/index.ts';
import { isDocument, successes } from '../../src/http/openapi/operation.ts';
import type { Route } from '../../src/http/route.ts';
import { catalogue } from '../support/declared.ts';
import type { Answer } from '../support/matrix.ts';
import { maxTurnLength, turnOf } from '../support/turns.ts';

/** Milliseconds for which a request may hold the loop. */
export const defaultTurn = 50;
/** Bytes that one input may add to the maximum of the process. */
const maxGrowth = 256 * 1024 * 1024;

/** Effect of an input that no input may have. */
export class Fault extends Error {}

/** Runs a target on one input. Throws a fault for a turn that is too long in each of five runs, and for too much memory. */
export async function judged<T>(run: () => Promise<T>, maxTurn = defaultTurn): Promise<T> {
  const before = process.resourceUsage().maxRSS;
  const { turn, result } = await turnOf(run);
  const grown = (process.resourceUsage().maxRSS - before) * 1024;
  if (grown > maxGrowth) throw new Fault(`needs ${Math.round(grown / 1024 / 1024)} MiB`);
  if (turn < maxTurn) return result;
  const least = await maxTurnLength(5, maxTurn, run);
  if (least >= maxTurn) throw new Fault(`holds the loop for ${least.toFixed(0)} ms`);
  return result;
}

const { components } = JSON.parse(
  [...openApiParts({ routes: [], documents: catalogue, version: '1', namespace: 'urn:test' })].join(''),
);
const ajv = new Ajv2020({ strict: true, strictRequired: false, keywords: ['xml', 'components'] });
ajv.addSchema({ $id: 'openapi', components });
const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  const validator = validators.get(name) ?? ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
  validators.set(name, validator);
  return validator;
}

/** Statuses above 500 that are refusals: nobody does this here. */
const isFailure = (status: number): boolean => status >= 500 && status !== 501;

/** Scheduled, a part, and not modified: headers that every route takes ask for them. */
const byHeaders: readonly number[] = [202, 206, 304];

/** Throws a fault for an answer that is a failure, or not what its route declares. */
export function checkAnswer({ status, headers, body }: Answer, route?: Route): void {
  const type = headers.get('content-type')?.replace(/;.*/, '') ?? '';
  const broken = (text: string) => new Fault(`answers ${status} ${type} ${text}: ${body.slice(0, 300)}`);
  if (isFailure(status)) throw broken('');
  if (!route) return;
  const { withBody, silent } = successes(route);
  const statuses = [withBody, silent, ...byHeaders];
  if (status < 400 && !statuses.includes(status)) throw broken(`where it declares ${statuses.join()}`);
  if (body === '' || (status >= 300 && status < 400)) return;
  const { path, produces, answers } = route;
  // SCIM has schemas of its own.
  if (path.startsWith('/scim/')) return;
  const isRefused = status >= 400;
  // An id that is none gets the answer of the original for unknown routes, which has no code.
  if (isRefused && !headers.has('portico-error')) return;
  const documents = isRefused
    ? [type === 'application/problem+json' ? problemDocument : exceptionDocument]
    : formList(answers).filter(isDocument);
  if (!isRefused && !(produces as readonly string[]).includes(type))
    throw broken(`where it declares ${produces.join()}`);
  if (documents.length === 0) return;
  if (/\bjson$/.test(type)) {
    const value: unknown = JSON.parse(body);
    const validity = documents
      .map(({ name }) => validatorOf(name))
      .map((fits) => fits(value) || ajv.errorsText(fits.errors));
    if (!validity.includes(true)) throw broken(String(validity));
  } else if (type === 'application/xml') {
    const reads = documents.map((document) => {
      try {
        readXml(document, body);
        return true;
      } catch (error) {
        return String(error);
      }
    });
    if (!reads.includes(true)) throw broken(String(reads));
  }
}

/** Milliseconds after which an input counts as one that never ends. */
const patience = 30_000;
const room = 2 * 1024 * 1024;

const watching = `
const { workerData: [shared, patience, path] } = require('node:worker_threads');
const [state, bytes] = [new Int32Array(shared, 0, 2), Buffer.from(shared, 8)];
let last = -1;
setInterval(() => {
  if (state[0] === last && state[1] >= 0) {
    require('node:fs').writeFileSync(path, bytes.subarray(0, state[1]));
    process._rawDebug('Expected an input to end within ' + patience / 1000 + ' seconds: kept as ' + path);
    process.kill(process.pid, 'SIGKILL');
  }
  last = state[0];
}, patience);`;

/** Ends the process, and keeps its input, where a target holds the loop for ever. */
export function watchdog(path = 'node_modules/.cache/fuzz-without-end'): { begins(input: string): void; ends(): void } {
  const shared = new SharedArrayBuffer(8 + room);
  const [state, bytes] = [new Int32Array(shared, 0, 2), Buffer.from(shared, 8)];
  state[1] = -1;
  new Worker(watching, { eval: true, workerData: [shared, patience, path] }).unref();
  return {
    begins(input) {
      state[0]!++;
      state[1] = bytes.write(input, 'latin1');
    },
    ends() {
      state[1] = -1;
    },
  };
}
