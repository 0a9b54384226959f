import { countedLibraryHook } from '../../assets/search/public.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { bytesQuotaHook } from '../../storage/public.ts';
import { quotaCommands } from './commands.ts';
import { narrowSchema } from './counting/narrow-sql.ts';
import { countingSchema } from './counting/triggers-sql.ts';
import { bytesGuards, enforcement } from './enforcement.ts';
import { enforcementSchema } from './enforcement-sql.ts';
import { quotaEvents } from './events.ts';
import * as documents from './quota-rules/documents.ts';
import { ruleKind, ruleRoutes } from './quota-rules/routes.ts';
import { enforcedRules, noRuleOfLibrary } from './quota-rules/store.ts';
import { type QuotaParts, quotaKind } from './quota-work.ts';
import * as tables from './tables.ts';

/** Rules about how much users and groups may keep. */
export const quota = defineRoom({
  name: 'quota',
  tables,
  schema: globalThis.isEdgeModule ? [] : [...enforcementSchema(), ...countingSchema(), ...narrowSchema()],
  documents: [documents],
  events: quotaEvents,
  roles: readAndWrite('quota'),
  commands: globalThis.isEdgeModule ? {} : quotaCommands,
  open(parts: QuotaParts) {
    return {
      routes: [below('quota', () => ruleRoutes(parts))],
      entities: { '/quota': ruleKind(parts.store) },
      workers: [quotaKind(parts)],
      participants: [enforcement(parts)],
      hooks: [
        hooked(countedLibraryHook, (id, refusal) => noRuleOfLibrary({ id }, refusal)),
        hooked(bytesQuotaHook, {
          guards: (bytes) => bytesGuards(parts, bytes),
          ahead: () => enforcedRules(parts.store, {}),
        }),
      ],
    };
  },
});
