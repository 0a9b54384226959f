import { badValue } from '../../../core/documents/error.ts';
import { compilePattern } from '../../../core/documents/pattern.ts';
import type { Pairs } from '../../../core/events/payloads.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { ownKey, reservedKey } from '../../../room/jobs/contract.ts';
import { type JobPriority, jobPriorities } from '../../../room/jobs/job-type.ts';
import { hasAutoImport, putAutoImport, switchAutoImport } from '../../../storage/public.ts';
import { importJobs } from '../steps/import-job.ts';
import type { AutoImportRule } from './documents.ts';

/** Data that jobs of the rule have beside those of the service. */
export const dataOfRule = ({ jobmetadata }: AutoImportRule): Pairs =>
  (jobmetadata?.field ?? []).flatMap(({ key, value }) => (key ? [[key, String(value?.value ?? '')] as const] : []));

/** Checks what a rule says by itself: its patterns, its priority and its data of jobs. */
export function checkRule(rule: AutoImportRule): void {
  const { excludeFilter = [], shapeTagFilter = [], priority } = rule;
  const root = '/AutoImportRuleDocument';
  for (const { pattern } of excludeFilter) compilePattern(pattern, `${root}/excludeFilter/pattern`);
  for (const { pattern } of shapeTagFilter) compilePattern(pattern, `${root}/shapeTagFilter/pattern`);
  if (priority && !jobPriorities.includes(priority.toUpperCase() as JobPriority)) {
    throw badValue(`${root}/priority`, `one of ${jobPriorities.join(', ')}`, priority);
  }
  const reserved = reservedKey(importJobs.AUTO_IMPORT, dataOfRule(rule));
  if (reserved !== undefined) throw badValue(`${root}/jobmetadata/field/key`, ownKey, reserved);
}

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
  author: string | null,
): CommitPlan =>
  changing(putAutoImport({ storageId, enabled: Number(enabled), document: JSON.stringify(rule), author }));

export const enableAutoImport = (id: string, enabled: boolean): CommitPlan =>
  changing(
    hasAutoImport({ storageId: id }, noAutoImport(id)),
    switchAutoImport({ storageId: id, enabled: Number(enabled) }),
  );

export const noAutoImport = (storage: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'auto-import', id: storage });
