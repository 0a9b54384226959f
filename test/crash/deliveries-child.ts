import { happen, openFor, register, writers } from './deliveries-service.ts';

/** Commits and delivers until it is killed, and says on its output what was acknowledged: one group a line. */
const [url, life, address] = process.argv.slice(2) as [string, string, string];
const service = await openFor(url);
await register(service, address);
void service.work();
process.stdout.write('ready\n');

async function write(writer: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const group = `${life}.${writer}.${turn}`;
    await happen(service, group);
    process.stdout.write(`${group}\n`);
    // So that deliveries keep up, more or less.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
