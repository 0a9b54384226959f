import { type CommandContext, CommandError, type RoomCommands } from '../../room/command.ts';
import { everyRule, rulesBehind } from './quota-rules/store.ts';
import { driftOf, recount, wasExact } from './usage.ts';

const page = 100;
export const quotaCommands: RoomCommands<CommandContext> = {
  'quota verify': {
    usage: 'quota verify',
    says: 'Counts all quota rules again and changes nothing. Exits with 1 if a usage differs.',
    async run(_line, { store, tell }) {
      const reader = store.reader('quota verify');
      let [rules, wrong] = [0, 0];
      for (let after = -1; ; ) {
        const rows = await rulesBehind(reader, { ...everyRule, exceeded: 0, after, limit: page });
        if (rows.length === 0) break;
        for (const row of rows) {
          const count = await recount(reader, row);
          // A rule that waits for its recount is marked as inexact, and counted before it is read.
          if (!count || !wasExact(row, count)) continue;
          rules++;
          const { items, bytes } = driftOf(count);
          if (items === 0 && bytes === 0) continue;
          wrong++;
          tell(`${row.id}\t${items} items\t${bytes} bytes`);
        }
        after = rows.at(-1)!.serial;
      }
      if (wrong === 0) return tell(`Counted ${rules} rules: all are as they should be`);
      throw new CommandError(`Expected the usage that rules tell: ${wrong} of ${rules} differ`);
    },
  },
};
