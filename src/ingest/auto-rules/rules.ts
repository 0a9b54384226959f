import { badValue } from '../../documents/bad-value.ts';
import { compilePattern } from '../../documents/pattern.ts';
import { ServiceError } from '../../lib/errors.ts';
import { hasAutoImport, priorities, putAutoImport, switchAutoImport } from '../../media/public.ts';
import { changing } from '../../store/commit-plan.ts';
import type { CommitPlan } from '../../store/contract.ts';
import type { AutoImportRule } from './documents.ts';

/** Checks what a rule says by itself: its patterns and its priority. */
export function checkRule({ excludeFilter = [], shapeTagFilter = [], priority }: AutoImportRule): void {
  const root = '/AutoImportRuleDocument';
  for (const { pattern } of excludeFilter) compilePattern(pattern, `${root}/excludeFilter/pattern`);
  for (const { pattern } of shapeTagFilter) compilePattern(pattern, `${root}/shapeTagFilter/pattern`);
  if (priority && !jobPriorities.includes(priority.toUpperCase())) {
    throw badValue(`${root}/priority`, `one of ${jobPriorities.join(', ')}`, priority);
  }
}

const jobPriorities: readonly string[] = ['IMMEDIATE', ...priorities];

/** `others`: whether the caller may name another user than itself. Jobs of the rule run in that name. */
export function checkUser({ user }: AutoImportRule, caller: string, others: boolean): void {
  if (!user || user === caller || others) return;
  const explanation =
    'Expected the caller itself, or the role _administrator: jobs of the rule run in the name of the user';
  throw new ServiceError('not-allowed', {
    context: '/AutoImportRuleDocument/user',
    id: user.slice(0, 80),
    explanation,
  });
}

export const setAutoImport = (
  storageId: string,
  { storage: _own, enabled = true, ...rule }: AutoImportRule,
): CommitPlan => changing(putAutoImport({ storageId, enabled: Number(enabled), document: JSON.stringify(rule) }));

export const enableAutoImport = (id: string, enabled: boolean): CommitPlan =>
  changing(
    hasAutoImport({ storageId: id }, noAutoImport(id)),
    switchAutoImport({ storageId: id, enabled: Number(enabled) }),
  );

export const noAutoImport = (storage: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'auto-import', id: storage });
