import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { quotaRuleDocument, quotaRuleListDocument } from './documents/quota-rule.ts';
import { quotaEvents } from './events.ts';

/** Rules about how much users and groups may keep. */
export const quota = defineRoom({
  name: 'quota',
  documents: [quotaRuleDocument, quotaRuleListDocument],
  events: quotaEvents,
  roles: readAndWrite('quota'),
});
