import { systemClock } from '../../lib/clock.ts';
import { systemRandom } from '../../lib/random.ts';
import type { RoomCommand } from '../../room/command.ts';
import { rooms } from '../../rooms.ts';
import type { Service } from '../../service.ts';
import { printLine } from '../output.ts';
import { gatherSecurity } from '../plugins/read-input.ts';
import type { Command } from './command.ts';
import { localFiles } from './local-files.ts';
import { readPassword } from './password-input.ts';
import { withService } from './session.ts';

/** The commands of all rooms, by name. Each works on the database beside a running server. */
export const roomCommands: readonly (readonly [string, Command])[] = rooms.flatMap((room) =>
  'commands' in room
    ? Object.entries(room.commands).map(([name, command]) => [name, onDesk(room.name, command)] as const)
    : [],
);

function onDesk(room: string, { run, opensStorages, ...form }: RoomCommand): Command {
  return {
    ...form,
    async run(given) {
      const settings = given.settings();
      const security = opensStorages && (await gatherSecurity(settings)).input;
      const work = async ({ store, rooms: opened, configure }: Service) => {
        // A command must not migrate under a server of another version.
        await store.checkSchema();
        if (security) await configure(security);
        const offers = (opened as Readonly<Record<string, unknown>>)[room];
        const desk = {
          store,
          offers,
          settings,
          random: systemRandom,
          now: () => systemClock.now(),
          tell: printLine,
          sleep: (milliseconds: number) => systemClock.sleep(milliseconds),
          readPassword,
          localFiles,
        };
        await run(given, desk as never);
      };
      await withService(settings, work);
    },
  };
}
