import { afterAll, expect, test } from 'vitest';
import type { Database } from '../../src/core/store/contract.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { crash } from './crash.ts';

const kills = Number(process.env['PORTICO_KILLS'] ?? 1);
const seed = Number(process.env['PORTICO_SEED'] ?? 20_261_120);
const livesOfDatabase = 20;
const opened: Database[] = [];
afterAll(() => Promise.all(opened.map((database) => database.close())));

/** Every acknowledged commit is there, and each commit is there as a whole or not at all. */
async function check(url: string, acknowledged: readonly string[]): Promise<void> {
  const database = await openDatabase(url);
  opened.push(database);
  const number = async (text: string) => Number((await database.read(text))[0]?.[0]);
  const names = new Set((await database.read('SELECT name FROM user')).flat());
  const lost = acknowledged.filter((key) => !names.has(key));
  expect(lost, 'acknowledged, but not there').toEqual([]);
  const whole = `SELECT count(*) FROM user
    JOIN login ON login.user_id = user.id AND login.name = user.name
    JOIN event ON event.entity_id = user.id AND event.payload = json_object('key', user.name)`;
  const counts = {
    whole: await number(whole),
    logins: await number('SELECT count(*) FROM login'),
    events: await number('SELECT count(*) FROM event'),
    told: await number('SELECT count(*) FROM event JOIN outbox USING (sequence)'),
    waiting: await number('SELECT count(*) FROM outbox'),
    counted: await number(`SELECT coalesce(sum(value), 0) FROM counter WHERE name = 'load'`),
    sound: (await database.read('PRAGMA integrity_check')).flat(),
  };
  const users = names.size;
  expect(counts).toEqual({
    whole: users,
    logins: users,
    events: users,
    told: users,
    waiting: users,
    counted: users,
    sound: ['ok'],
  });
  const heads =
    'SELECT count(*) FROM queue JOIN lane ON lane.name = queue.lane WHERE ready IS NOT NULL AND head = (SELECT min(sequence) FROM outbox)';
  if (users > 0) expect(await number(heads), 'nobody would look at the outbox').toBe(1);
  await opened.pop()?.close();
}

test(
  `killed ${kills} times under load: nothing acknowledged is lost, nothing is half there`,
  async () => {
    const child = new URL('./child.ts', import.meta.url);
    let acknowledged = 0;
    // A fresh database now and then, or the long series would spend its time counting old rows.
    for (let done = 0; done < kills; done += livesOfDatabase) {
      const lives = Math.min(livesOfDatabase, kills - done);
      const report = await crash({ child, seed: seed + done, kills: lives, within: 500, least: 40, check });
      acknowledged += report.acknowledged;
    }
    // A load that acknowledged nothing would show nothing.
    expect(acknowledged).toBeGreaterThanOrEqual((kills / 2) * 40);
    console.log(`${kills} kills, ${acknowledged} acknowledged commits, seed ${seed}`);
  },
  60_000 + kills * 10_000,
);
