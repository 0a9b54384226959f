import process from 'node:process';
import type { Row } from './row.ts';
import { scanWorld } from './scan-world.ts';

/** Pages from one look at the memory to the next. */
const lookEvery = 50;
const mebibyte = 1024 * 1024;

/** Garbage collector that V8 exposes when it is started with `--expose-gc`. */
const { gc } = globalThis as { readonly gc?: () => void };

interface Memory {
  /** Bytes that are in use. What may go is gone. */
  readonly live: number;
  readonly resident: number;
}

function look(): Memory {
  gc!();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { live: heapUsed + external, resident: rss };
}

/**
 * Memory that a scan holds. How far a process grows says when its collector had time, so garbage is collected ahead
 * of each look. A scan that kept its rows would hold them in each look.
 */
export async function benchScanMemory(count = 1_000_000): Promise<Row[]> {
  if (!gc) throw new Error('Expected a runtime that was started with --expose-gc');
  let pages = 0;
  let max: Memory = { live: 0, resident: 0 };
  const world = await scanWorld(count, () => {
    if (pages++ % lookEvery !== 0) return;
    const now = look();
    max = { live: Math.max(max.live, now.live), resident: Math.max(max.resident, now.resident) };
  });

  async function growth(work: () => Promise<void>): Promise<Memory> {
    const before = look();
    pages = 0;
    max = before;
    await work();
    return { live: (max.live - before.live) / mebibyte, resident: (max.resident - before.resident) / mebibyte };
  }
  // Warm-up: code and prepared statements are loaded.
  await world.select();
  await world.scan();
  const plain = await growth(world.select);
  const scan = await growth(world.scan);
  await world.close();
  const among = `${count.toLocaleString('en')} rows`;
  return [
    {
      name: `64 MiB of memory, against what a scan of ${among} holds`,
      ratio: 64 / Math.max(1, scan.live),
      floor: 1,
      value: scan.live,
    },
    { name: 'what reading them by pages holds, MiB', value: plain.live },
    { name: 'by how much the process grows beside a scan, MiB', value: scan.resident },
    { name: 'by how much it grows beside reading them, MiB', value: plain.resident },
  ];
}
