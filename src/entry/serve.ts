import process from 'node:process';
import type { Settings } from '../config/settings.ts';
import type { Arrival } from '../http/handler.ts';
import { toResponse } from '../http/reply.ts';
import { describeError } from '../lib/log.ts';
import { metricsReply } from '../operations/routes.ts';
import { createService, type Service } from '../service.ts';
import { hostPlatform } from './host.ts';
import { listenOnDeno } from './listen-deno.ts';
import { listenOnNode } from './listen-node.ts';
import { logOutput, tell } from './output.ts';

export interface Listener {
  readonly port: number;
  stop(milliseconds: number): Promise<void>;
}

/** Binds a port and answers every request with `fetch`. */
export type Listen = (
  fetch: (request: Request, arrival: Arrival) => Promise<Response>,
  options: { readonly host: string; readonly port: number; readonly requestTimeout: number },
) => Promise<Listener>;

export interface Running {
  readonly service: Service;
  readonly address: string;
  /** Stops accepting, finishes requests in flight, closes. */
  stop(): Promise<void>;
}

const listen: Listen = 'Deno' in globalThis ? listenOnDeno : listenOnNode;

/** Opens, migrates, initialises, listens. */
export async function startServer(settings: Settings, say: (text: string) => void = tell): Promise<Running> {
  const output = logOutput();
  const platform = await hostPlatform(settings, output.print);
  const service = createService(settings, platform);
  const listeners: Listener[] = [];
  const { host, port, requestTimeout } = settings;

  async function stop(): Promise<void> {
    await Promise.all(listeners.map((listener) => listener.stop(settings.stopTimeout * 1000)));
    await service.close();
    output.flush();
  }

  try {
    const { madeUpPassword } = await service.start();
    if (madeUpPassword !== undefined)
      say(`The user admin was created. Its password, shown only now: ${madeUpPassword}`);
    const main = await listen((request, arrival) => service.fetch(request, arrival), { host, port, requestTimeout });
    listeners.push(main);
    if (settings.metricsPort !== 0) {
      const metrics = async () => toResponse(metricsReply(service.metrics), {});
      listeners.push(await listen(metrics, { host, port: settings.metricsPort, requestTimeout }));
    }
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${main.port}`;
    for (const notice of platform.notices) service.log.write('warn', 'host', { notice });
    service.log.write('info', 'listening', { address });
    say(`portico listening on ${address}`);
    return { service, address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Serves until the process is told to stop. A second signal does not wait. */
export async function serve(settings: Settings): Promise<void> {
  const running = await startServer(settings);
  const { log } = running.service;
  // Nobody knows what state is left: say so and end, so that whatever supervises starts a clean one.
  process.on('uncaughtException', (error) => {
    log.write('error', 'uncaught', describeError(error));
    process.exit(1);
  });
  await new Promise<void>((resolve) => {
    let told = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // One listener for the first and the second time: Deno calls one that is added meanwhile for the same signal.
      process.on(signal, () => {
        if (told) process.exit(1);
        told = true;
        log.write('info', 'stopping', { signal });
        resolve();
      });
    }
  });
  await running.stop();
}
