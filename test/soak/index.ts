import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { brokenBy } from './judge.ts';
import { reportPage, routesOf } from './report.ts';
import { soak } from './run.ts';

/**
 * `npm run soak`: a server under a mixed load with kills, on 127.0.0.1. Ends with 1 when one of the promises of `judge.ts`
 * is broken. Writes `soak-report/report.json` and `report.html`.
 */
const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '0.1' },
    seed: { type: 'string', default: String(Date.now() % 0x7fffffff) },
    rate: { type: 'string', default: '1' },
    remote: { type: 'boolean', default: false },
    from: { type: 'string' },
  },
});
const options = {
  ...{ hours: Number(values.hours), seed: Number(values.seed), rate: Number(values.rate) },
  ...{ isRemote: values.remote, from: values.from },
};
for (const name of ['hours', 'seed', 'rate'] as const)
  if (!(options[name] > 0)) throw new Error(`Expected a number above 0 in --${name}: "${values[name]}"`);

/** In a namespace of its own this process mounts a disk, which goes with it. */
const inNamespace = ['-rm', process.execPath, ...process.execArgv, ...process.argv.slice(1)];
const isInside = process.env['SOAK_MOUNTS'] !== undefined;
if (!isInside && spawnSync('unshare', ['-rm', 'true']).status === 0) {
  const environment = { ...process.env, SOAK_MOUNTS: '1' };
  process.exitCode = spawnSync('unshare', inNamespace, { stdio: 'inherit', env: environment }).status ?? 1;
} else {
  const print = (line: string): void => console.log(line);
  // The provider warns that it is for development only, which is its use here.
  console.warn = () => undefined;
  console.info = () => undefined;
  print(`${options.hours} hours, seed ${options.seed}`);
  const soaked = await soak({ ...options, mounts: isInside }, print);
  const broken = brokenBy(soaked);
  mkdirSync('soak-report', { recursive: true });
  const report = { broken, ...soaked, routes: routesOf(soaked), complaints: Object.fromEntries(soaked.complaints) };
  writeFileSync('soak-report/report.json', JSON.stringify(report, null, 1));
  writeFileSync('soak-report/report.html', reportPage(soaked, broken));
  for (const { promise, shows } of broken) print(`BROKEN ${promise}: ${shows}`);
  print(`${broken.length} broken promises, see soak-report/report.html`);
  process.exitCode = broken.length > 0 ? 1 : 0;
}
