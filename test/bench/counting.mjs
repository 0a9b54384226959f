import { openSync, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { serialize } from 'node:v8';
import workers from 'node:worker_threads';
import Database from 'libsql';
import PromisedDatabase from 'libsql/promise';

/**
 * Loaded before the server of `steps.ts`, in each of its threads: a line of STEPS_LOG for each statement and each message
 * to another thread.
 */

const log = openSync(process.env.STEPS_LOG, 'a');
const role = /(writer|reader)-worker/.exec(process.argv.at(-1))?.[1];
const thread = workers.isMainThread ? 'serving' : (role ?? 'other');
const tell = (where, what) => writeSync(log, `${where} ${what.replace(/\s+/g, ' ').trim()}\n`);

/** SQL by the native half of a statement. */
const texts = new WeakMap();

function watch(methods, names, where) {
  for (const name of names) {
    const call = methods[name];
    methods[name] = function (...words) {
      tell(where, `sql ${texts.get(this.stmt)}`);
      return call.apply(this, words);
    };
  }
}

const { prepare } = Database.prototype;
Database.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  texts.set(statement.stmt, sql);
  return statement;
};
const promised = await new PromisedDatabase(':memory:', {}).prepare('SELECT 1');
watch(Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')), ['all', 'get', 'run'], thread);
watch(Object.getPrototypeOf(promised), ['all'], 'binding');

const { postMessage } = workers.MessagePort.prototype;
workers.MessagePort.prototype.postMessage = function (message, ...rest) {
  tell(thread, `message ${bytesOf(message)}`);
  return postMessage.call(this, message, ...rest);
};

/** The first message to a thread has ports in it, and is none of the server's. */
function bytesOf(message) {
  try {
    return serialize(message).length;
  } catch {
    return 0;
  }
}

/** The flag that loads this file reaches no thread. */
workers.Worker = class extends workers.Worker {
  constructor(program, options) {
    const first = `import(${JSON.stringify(import.meta.url)}).then(() => import(${JSON.stringify(String(program))}))`;
    super(first, { ...options, eval: true, argv: [String(program)] });
  }
};
syncBuiltinESMExports();
