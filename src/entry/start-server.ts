import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { createService, type Service } from '../composition/service.ts';
import { SettingError, type Settings } from '../composition/settings.ts';
import { toResponse } from '../http/reply.ts';
import type { Processes } from '../room/context.ts';
import { hostPlatform, mediaFolderOf } from './host.ts';
import { listenOnDeno } from './listen-deno.ts';
import { listenOnNode } from './listen-node.ts';
import type { Listen, Listener } from './listener.ts';
import { logOutput, printLine } from './output.ts';
import { readSecurityInput } from './plugins/read-input.ts';
import { watchSecurity } from './plugins/watch.ts';

/**
 * Milliseconds between two looks while requests come, and while none do: a hundred looks a second cost one percent of a
 * core. A turn is told shorter than it was by less than this.
 */
const [often, seldom] = [10, 500];
/** Looks without a request after which the next ones are seldom. */
const quietLooks = 200;

interface LoopWatch {
  /** Seconds by which the event loop was late at most since the last call. */
  longest(): number;
  /** Says that a request has come. */
  wake(): void;
  stop(): void;
}

/** Measures how long one turn of the event loop kept the others waiting. Node's own histogram is not there on Deno. */
export function watchLoop(now: () => number = () => performance.now()): LoopWatch {
  let longest = 0;
  let looked = now();
  let interval = often;
  let quiet = 0;
  const look = () => {
    const at = now();
    longest = Math.max(longest, at - looked - interval);
    looked = at;
  };
  const onTimer = () => {
    look();
    if (interval === often && ++quiet >= quietLooks) lookEvery(seldom);
  };
  let timer = setInterval(onTimer, often);
  // The watch does not keep a process alive that has nothing else to do.
  timer.unref();
  function lookEvery(milliseconds: number): void {
    clearInterval(timer);
    interval = milliseconds;
    timer = setInterval(onTimer, interval);
    timer.unref();
  }
  return {
    wake() {
      quiet = 0;
      if (interval === often) return;
      look();
      lookEvery(often);
    },
    longest() {
      // A turn that has just ended counts, although the timer has not come to its turn yet.
      look();
      const delay = longest;
      longest = 0;
      return delay / 1000;
    },
    stop: () => clearInterval(timer),
  };
}

export interface Running {
  readonly service: Service;
  /** Port of the listener. 0: other processes listen. */
  readonly port: number;
  readonly address: string;
  /** Fragment of the address that a first start prints: a login link, and the folder for the first storage. */
  readonly link: string | undefined;
  /** Text on what was made before anybody is told the address. */
  readonly furnished: string | undefined;
  /** Takes security.ini and the plugins as they are now, or keeps what runs and says why in the log. */
  reload(): Promise<void>;
  /** Stops accepting, finishes requests in flight, closes. */
  stop(): Promise<void>;
  /** Resolves when the first requests wait for nothing that the service can make ready. */
  readonly warmed: Promise<void>;
  /** Writes the log lines that are still gathered. */
  flush(): void;
}

const bind: Listen = 'Deno' in globalThis ? listenOnDeno : listenOnNode;

/** `flag` names the setting of the port where another program has it. */
async function listen(flag: string, ...[fetch, options]: Parameters<Listen>): Promise<Listener> {
  try {
    return await bind(fetch, options);
  } catch (error) {
    const { code, name } = error as { readonly code?: string; readonly name?: string };
    if (code !== 'EADDRINUSE' && name !== 'AddrInUse') throw error;
    const address = addressOf(options.host, options.port);
    throw new SettingError(`Expected a free port in ${flag}: ${address} is in use (EADDRINUSE)`);
  }
}

/** Milliseconds of a stop that are left when requests, queries and work are ended: then the database closes. */
const atTheEnd = 2_000;

/** Milliseconds from the start to the search for programs. */
const soon = 100;
/** Milliseconds between two steps that make the service ready: requests that have arrived go first. */
const betweenSteps = 5;

/** Duties of one process among several. */
export interface Part {
  readonly listens: boolean;
  /** Whether it does the background work, and what is done once for all. */
  readonly works: boolean;
  readonly processes?: Processes;
  /** Makes something before anybody is told the address, and says what. `page`: address of the web page. */
  furnish?(service: Service, page: string): Promise<string>;
  /** Called after each reload. */
  reloaded?(): void;
}

export const alone: Part = { listens: true, works: true };

export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Address of the web page as a browser on this machine opens it. */
const pageOf = (host: string, port: number): string =>
  `${addressOf(/^(?:0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host, port)}/ui/`;

/** Tells where the service listens, and the address of the web page, below what the log has so far. */
export function tellAddress(
  { service, link, furnished, flush }: Omit<Running, 'warmed'>,
  host: string,
  port: number,
  say: (text: string) => void,
): void {
  const page = pageOf(host, port);
  flush();
  if (link !== undefined) say(`web page, for half an hour and one login: ${page}first#${link}`);
  else if (service.rooms.ui.isOpen()) say(`web page at ${page}`);
  if (furnished !== undefined) say(`\n${furnished}\n`);
  // The last line: programs that start a server wait for it.
  say(`portico listening on ${addressOf(host, port)}`);
}

/** Opens, migrates, initialises, listens. */
export async function startServer(
  settings: Settings,
  say: (text: string) => void = printLine,
  part: Part = alone,
): Promise<Running> {
  const output = logOutput();
  const runtime = await hostPlatform(settings, output.print);
  const loop = watchLoop();
  const platform = { ...runtime, loopDelay: loop.longest, ...(part.processes && { processes: part.processes }) };
  const service = createService(settings, platform, await readSecurityInput(settings));
  const listeners: Listener[] = [];
  const { host, port, requestTimeout, maxHeaderBytes } = settings;
  const limits = { requestTimeout, maxHeaderBytes };

  // Reloads run in sequence, so that the newest files win.
  let reloading = Promise.resolve();
  function reload(): Promise<void> {
    reloading = reloading.then(() => service.reload(() => readSecurityInput(settings)));
    void reloading.then(() => part.reloaded?.());
    return reloading;
  }

  let working: Promise<unknown> | undefined;
  let isStopping = false;

  async function warm(): Promise<void> {
    await pause(soon);
    if (isStopping) return;
    for (const _ of service.warm()) {
      await pause(betweenSteps);
      if (isStopping) return;
    }
  }

  const watching = settings.watch ? watchSecurity(settings, reload) : undefined;

  async function stop(): Promise<void> {
    isStopping = true;
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
    const sayPassword = () =>
      madeUpPassword !== undefined &&
      say(`The user admin was created. Its password, shown only now: ${madeUpPassword}`);
    // Below the log lines of what is made first.
    if (!part.furnish) sayPassword();
    let main: Listener | undefined;
    if (part.listens) {
      const shared = !part.works;
      const serve: Parameters<Listen>[0] = (request, arrival) => {
        loop.wake();
        return service.fetch(request, arrival);
      };
      main = await listen('--port', serve, { host, port, shared, ...limits });
      listeners.push(main);
    }
    if (part.works && settings.metricsPort !== 0) {
      const monitor = async (request: Request) => toResponse(await service.rooms.operations.monitor(request), {});
      listeners.push(await listen('--metrics-port', monitor, { host, port: settings.metricsPort, ...limits }));
    }
    const first = madeUpPassword !== undefined && service.rooms.ui.isOpen();
    const link = first ? await firstLink(service, settings) : undefined;
    let furnished: string | undefined;
    if (part.works) {
      for (const notice of platform.notices) service.log.write('warn', 'host', { notice });
      working = Promise.all([service.work(), tellTranscoders(service)]);
      furnished = await part.furnish?.(service, pageOf(host, main?.port ?? port)).finally(() => {
        output.flush();
        sayPassword();
      });
    }
    const address = addressOf(host, main?.port ?? 0);
    const { flush } = output;
    const running = { service, port: main?.port ?? 0, address, link, furnished, reload, stop, flush };
    if (part.works && main) {
      service.log.write('info', 'listening', { address });
      tellAddress(running, host, main.port, say);
    }
    const warmed = main ? warm() : Promise.resolve();
    return { ...running, warmed };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A browser sends no fragment, so neither the text nor the folder gets into a log on the way. */
async function firstLink({ rooms }: Service, settings: Settings): Promise<string> {
  const folder = mediaFolderOf(settings);
  return new URLSearchParams({ link: await rooms.identity.makeLink('admin'), folder }).toString();
}

/** Runs behind the first requests: the start of a program holds the thread, and its answer takes a moment. */
async function tellTranscoders({ rooms, log }: Service): Promise<void> {
  await pause(soon);
  const { working, install } = await rooms.transcoding.transcoders();
  if (working.length > 0) log.write('info', 'transcoders', { found: working.join(', ') });
  else
    log.write('warn', 'no-transcoder', {
      notice: 'Shape tags and thumbnails wait for a transcoder',
      install: install.join('; or '),
    });
}
