import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { readerIn, starts } from '../../docs/clone/clone.ts';

/**
 * `npm run test:generated-clients [-- --whole NAME]`: makes clients of Python and Go of openapi.json, and takes one flow
 * with them and with `portico/client`. The client of Go has all documents, but only the calls of the flow: with `--whole`
 * it has all, and its compiler takes 6 GB. NAME: a part of the name of a client.
 */
const python = 'openapi-python-client==0.29.1';
const here = 'test/clients/generated';
const cache = resolve('node_modules/.cache/generated-clients');
const venv = join(cache, 'venv/bin');
const flowIds = `getToken getWhoami postImportPlaceholder postImportPlaceholderByItemByComponentRaw getJobByJob
  getItemByItem getStorageFileByFileData putItem postItemByItemShare deleteItemByItem`.split(/\s+/);

const { values, positionals } = parseArgs({ options: { whole: { type: 'boolean' } }, allowPositionals: true });
const [wanted = ''] = positionals;

/** A parameter of this call has the name of a type of Go. */
const goOptions = values.whole
  ? { 'exclude-operation-ids': ['getErrorByError'] }
  : { 'include-operation-ids': flowIds, 'skip-prune': true };
const goConfig = {
  ...{ package: 'portico', output: 'portico/portico.go' },
  generate: { models: true, client: true },
  'output-options': goOptions,
};

const expected = { user: 'admin', job: 'FINISHED', hits: [2, 1], share: ['play'], isKept: true, gone: 404 };

const has = (program: string, word: string) => spawnSync(program, [word]).status === 0;

interface Client {
  readonly name: string;
  /** Shell commands. */
  readonly make: string;
  readonly flow: string;
  /** Program that is not on the path. */
  readonly lacks?: string | undefined;
}

const clients: readonly Client[] = [
  { name: 'portico/client', make: ':', flow: `node --conditions portico-source --import tsx ${here}/flow.ts` },
  {
    ...{ name: 'openapi-python-client', lacks: has('python3', '--version') ? undefined : 'python3' },
    make: `test -x ${venv}/openapi-python-client || python3 -m venv ${cache}/venv
      ${venv}/pip install --quiet ${python}
      ${venv}/openapi-python-client generate --path ${cache}/openapi.json --meta none --overwrite \
        --output-path ${cache}/portico_client --config ${cache}/python.yaml > ${cache}/python.log`,
    flow: `PYTHONPATH=${cache} ${venv}/python ${here}/flow.py`,
  },
  {
    ...{ name: 'oapi-codegen', lacks: has('go', 'version') ? undefined : 'go' },
    make: `cd ${cache}/go && go tool oapi-codegen -config config.yaml ../openapi.json && go build -o flow .`,
    flow: `${cache}/go/flow`,
  },
];

await mkdir(join(cache, 'go/portico'), { recursive: true });
for (const name of ['go.mod', 'go.sum', 'flow.go']) await cp(join(here, name), join(cache, 'go', name));
await writeFile(join(cache, 'go/config.yaml'), JSON.stringify(goConfig));
await writeFile(join(cache, 'python.yaml'), JSON.stringify({ post_hooks: [] }));

const folder = await mkdtemp(join(tmpdir(), 'portico-clients-'));
const reader = await readerIn(folder, process.cwd(), { PORTICO_ROOT: join(folder, 'data') });
const server = await reader.serve(starts.node);
try {
  const media = join(folder, 'data/media');
  await mkdir(media, { recursive: true });
  const storage = { type: 'LOCAL', capacity: 1e9, method: [{ uri: `file://${media}/`, read: true, write: true }] };
  await writeFile(join(folder, 'storage.json'), JSON.stringify(storage));
  await reader.shell(`
    curl -sf -u "admin:$PASSWORD" "http://127.0.0.1:8080/API/openapi.json?form=json" -o ${cache}/openapi.json
    curl -sf -u "admin:$PASSWORD" http://127.0.0.1:8080/API/storage -H 'Content-Type: application/json' -o /dev/null \
      -d @${folder}/storage.json`);
  for (const { name, lacks, make, flow } of clients) {
    if (!name.includes(wanted)) continue;
    if (lacks !== undefined) {
      console.log(`left out  ${name}: ${lacks} is not on the path`);
      continue;
    }
    try {
      await reader.shell(make);
      const outcome = await reader.shell(`${flow} http://127.0.0.1:8080`);
      if (!isDeepStrictEqual(JSON.parse(outcome), expected)) throw new Error(outcome);
      console.log(`ok        ${name}`);
    } catch (error) {
      console.log(`FAILED    ${name}. ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
} finally {
  await server.stop();
  await reader.remove();
}
