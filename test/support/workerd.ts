import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** `npm run test:runtimes` puts it there. */
const miniflare = resolve('test/runtime/node_modules/miniflare/package.json');

export const hasMiniflare = existsSync(miniflare);

interface Worker {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Bundles the service with the files of `root`, and serves the module by workerd. */
export function startWorkerd(root: string, bindings: Readonly<Record<string, string>>): Promise<Worker> {
  const folder = join(root, 'worker');
  const words = ['src/entry/cli.ts', 'bundle', join(folder, 'portico.mjs'), '--root', root];
  execFileSync(process.execPath, ['--import', 'tsx', ...words]);
  return serveByWorkerd(folder, bindings);
}

/** Serves the module in `folder`, with the engine and the page beside it. */
export async function serveByWorkerd(folder: string, bindings: Readonly<Record<string, string>>): Promise<Worker> {
  const { Miniflare, convertV4MiniflareOptions } = await import(
    pathToFileURL(createRequire(miniflare).resolve('miniflare')).href
  );
  const names = readdirSync(folder);
  const page = names.find((name) => name.endsWith('.page'));
  const files = names.filter((name) => name !== page);
  const modules = files.map((name) => ({
    type: name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule',
    path: join(folder, name),
  }));
  const options = {
    ...{ host: '127.0.0.1', port: 0, modules, modulesRoot: folder },
    ...{ compatibilityDate: '2026-09-01', compatibilityFlags: ['nodejs_compat'], bindings },
    ...(page && { serviceBindings: { ASSETS: { disk: { path: join(folder, page) } } } }),
  };
  const worker = new Miniflare(convertV4MiniflareOptions(options));
  return { origin: (await worker.ready).origin, stop: () => worker.dispose() };
}
