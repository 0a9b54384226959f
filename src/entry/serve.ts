import process from 'node:process';
import type { Settings } from '../composition/settings.ts';
import { toResponse } from '../http/reply.ts';
import { describeError } from '../lib/log.ts';
import { createService, type Service } from '../service.ts';
import { hostPlatform } from './host.ts';
import { listenOnDeno } from './listen-deno.ts';
import { listenOnNode } from './listen-node.ts';
import type { Listen, Listener } from './listener.ts';
import { watchLoop } from './loop-delay.ts';
import { logOutput, printLine } from './output.ts';
import { readSecurityInput } from './plugins/read-input.ts';
import { watchSecurity } from './plugins/watch.ts';

export interface Running {
  readonly service: Service;
  readonly address: string;
  /** Takes security.ini and the plugins as they are now, or keeps what runs and says why in the log. */
  reload(): Promise<void>;
  /** Stops accepting, finishes requests in flight, closes. */
  stop(): Promise<void>;
  /** Writes the log lines that are still gathered. */
  flush(): void;
}

const listen: Listen = 'Deno' in globalThis ? listenOnDeno : listenOnNode;

/** Milliseconds of a stop that are left when requests, queries and work are ended: then the database closes. */
const atTheEnd = 2_000;

/** Opens, migrates, initialises, listens. */
export async function startServer(settings: Settings, say: (text: string) => void = printLine): Promise<Running> {
  const output = logOutput();
  const lent = await hostPlatform(settings, output.print);
  const loop = watchLoop();
  const platform = { ...lent, loopDelay: loop.longest };
  const service = createService(settings, platform, await readSecurityInput(settings));
  const listeners: Listener[] = [];
  const { host, port, requestTimeout, maxHeaderBytes } = settings;
  const limits = { requestTimeout, maxHeaderBytes };

  // Reloads run in sequence, so that the newest files win.
  let reloading = Promise.resolve();
  function reload(): Promise<void> {
    reloading = reloading.then(() => service.reload(() => readSecurityInput(settings)));
    return reloading;
  }

  let working: Promise<unknown> | undefined;
  const watching = settings.watch ? watchSecurity(settings, reload) : undefined;

  async function stop(): Promise<void> {
    watching?.();
    service.quiet();
    const milliseconds = settings.stopTimeout * 1000;
    const own = milliseconds - Math.min(milliseconds / 4, atTheEnd);
    const late = setTimeout(() => service.interrupt(), own);
    await Promise.all(listeners.map((listener) => listener.stop(own)));
    await service.close();
    clearTimeout(late);
    await working;
    loop.stop();
    output.flush();
  }

  try {
    const { madeUpPassword } = await service.start();
    if (madeUpPassword !== undefined)
      say(`The user admin was created. Its password, shown only now: ${madeUpPassword}`);
    const main = await listen((request, arrival) => service.fetch(request, arrival), { host, port, ...limits });
    listeners.push(main);
    if (settings.metricsPort !== 0) {
      const metrics = async () => toResponse(await service.rooms.operations.metrics(), {});
      listeners.push(await listen(metrics, { host, port: settings.metricsPort, ...limits }));
    }
    working = Promise.all([service.work(), tellTranscoders(service)]);
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${main.port}`;
    for (const notice of platform.notices) service.log.write('warn', 'host', { notice });
    service.log.write('info', 'listening', { address });
    say(`portico listening on ${address}`);
    return { service, address, reload, stop, flush: output.flush };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs after the start, because asking a program for its version takes a moment. */
async function tellTranscoders({ rooms, log }: Service): Promise<void> {
  const { working, install } = await rooms.transcoding.transcoders();
  if (working.length > 0) log.write('info', 'transcoders', { found: working.join(', ') });
  else
    log.write('warn', 'no-transcoder', {
      notice: 'Thumbnails and other forms of media wait',
      install: install.join('; or '),
    });
}

/**
 * Ends the process as a kill does, which loses no commit. `process.exit` would wait for threads, and a thread of the
 * database sees no interrupt before the operation that it is in has ended.
 */
const endNow = () => process.kill(process.pid, 'SIGKILL');

/** Serves until the process is told to stop. A second signal does not wait. */
export async function serve(settings: Settings): Promise<void> {
  const running = await startServer(settings);
  const { log } = running.service;
  // The state is unknown now: log the error and end, so that the supervisor starts a clean process.
  process.on('uncaughtException', (error) => {
    log.write('error', 'uncaught', describeError(error));
    process.exit(1);
  });
  process.on('SIGHUP', () => void running.reload());
  await new Promise<void>((resolve) => {
    let told = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // Same listener for both signals: on Deno, a listener added while handling a signal is called for that signal.
      process.on(signal, () => {
        if (told) endNow();
        told = true;
        log.write('info', 'stopping', { signal });
        // Last resort: pieces that still run ignore the stop. The timer does not keep a process alive that ends by itself.
        setTimeout(() => {
          log.write('error', 'stopped-late', { seconds: settings.stopTimeout });
          running.flush();
          endNow();
        }, settings.stopTimeout * 1000).unref();
        resolve();
      });
    }
  });
  await running.stop();
}
