import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { ask, askJson } from '../item-root.ts';
import type { Row } from '../row.ts';
import { finished, importFile } from './jobs.ts';
import { type CostWorld, toolCost } from './world.ts';

const seconds = 20;
const film = `testsrc2=size=1920x1080:rate=25:duration=${seconds}`;
const quiet = ['-nostdin', '-v', 'error', '-y'];

/** The stills and the web format of a film, beside the shortest commands of ffmpeg for them. None without ffmpeg. */
export async function benchFilmCosts({ directory, server, costOf }: CostWorld): Promise<Row[]> {
  if (spawnSync('ffmpeg', ['-version']).status !== 0) return [];
  const source = join(directory, 'film.mp4');
  toolCost('ffmpeg', ...quiet, '-f', 'lavfi', '-i', film, '-c:v', 'libx264', '-preset', 'ultrafast', source);
  const bytes = new Uint8Array(await readFile(source));
  const database = new Database(join(directory, 'root', 'portico.db'), { readonly: true });
  const pictures = () => (database.prepare('SELECT COUNT(*) FROM picture').raw(true).get() as [number])[0];
  const before = pictures();
  let item = '';
  const imported = await costOf(async () => {
    item = await importFile(server, 'film.mp4', bytes);
  });
  const count = pictures() - before;
  database.close();
  const rate = `fps=${count}/${seconds},scale=320:-2`;
  const stills = toolCost('ffmpeg', ...quiet, '-i', source, '-vf', rate, join(directory, 'still-%d.jpg'));
  const encoding = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
  const proxy = toolCost('ffmpeg', ...quiet, '-i', source, ...encoding, join(directory, 'proxy.mp4'));
  await ask(server, 'PUT /APIinit/preset-templates', undefined, '*/*');
  const transcoded = await costOf(async () => {
    const { jobId } = await askJson(server, `POST /API/item/${item}/transcode?tag=__mp4`);
    await finished(server, jobId!);
  });
  return [
    {
      name: `CPU time of an import of a film with ${count} stills, against ffmpeg; ms`,
      ratio: imported / stills,
      ceiling: 3,
      value: imported,
    },
    {
      name: 'CPU time of its web format, against ffmpeg with the same speed; ms',
      ratio: transcoded / proxy,
      ceiling: 2,
      value: transcoded,
    },
  ];
}
