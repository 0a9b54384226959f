import process from 'node:process';
import { readSettings } from '../../src/composition/settings.ts';
import { listenOnDeno } from '../../src/entry/listen-deno.ts';
import { startServer } from '../../src/entry/start-server.ts';
import { chainListener, openBytes } from './listeners.ts';

/**
 * Program that `started.ts` starts in Deno: the service, the default chain, or one route that answers bytes. Tells its
 * port.
 */
const options = { host: '127.0.0.1', port: 0, requestTimeout: 10 };
if (process.argv.includes('chain')) {
  const { port } = await listenOnDeno(await chainListener(), options);
  process.stdout.write(`port ${port}\n`);
} else if (process.argv.includes('bytes')) {
  const { port } = await listenOnDeno(openBytes().handler, options);
  process.stdout.write(`port ${port}\n`);
} else {
  await startServer(readSettings(process.env), (text) => process.stdout.write(`port ${/\d+$/.exec(text)?.[0]}\n`));
}
