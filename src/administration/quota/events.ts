import { about, emitterOf, firing } from '../../core/events/event-kinds.ts';

/** A limit and its usage are there together, when the rule has that resource. */
type QuotaState = {
  readonly ruleId: string;
  readonly itemLimit?: number;
  readonly storageLimit?: number;
  readonly itemUsage?: number;
  readonly storageUsage?: number;
  /** User whose items are counted, where the rule is about one. */
  readonly user?: string;
};

const ofQuota = (word: string) =>
  ({
    resource: '/quota',
    says: about('quota', word),
    tells: ['ruleId', 'itemLimit', 'storageLimit', 'itemUsage', 'storageUsage'],
  }) as const;
const quota = { ruleId: 'VX-31', storageLimit: 2_000_000_000_000, storageUsage: 2_000_000_400_000 };

export const quotaEvents = {
  'quota/warning': firing<QuotaState>({ ...ofQuota('WARNING'), fact: true }, quota),
  'quota/near': firing<QuotaState>({ ...ofQuota('NEAR'), fact: true }, { ...quota, storageUsage: 1_800_000_000_000 }),
  'quota/created': firing<QuotaState>(ofQuota('CREATE'), { ...quota, itemLimit: 5000, itemUsage: 0 }),
  'quota/delete': firing<QuotaState>(ofQuota('DELETE'), { ruleId: 'VX-31', itemLimit: 5000, itemUsage: 4120 }),
};

export const quotaEvent = emitterOf(quotaEvents);
