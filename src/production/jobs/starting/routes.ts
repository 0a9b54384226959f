import { type SimpleMetadata, simpleMetadataDocument } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { text } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { startJob } from '../../../room/jobs/contract.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { describeJob } from '../../../room/jobs/memo.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';
import type { JobRoomParts } from '../parts.ts';
import { jobTypeNamed } from '../tasks/find.ts';
import { noSuchType } from '../tasks/rules.ts';
import { customTypeThere } from '../tasks/store.ts';

const longestValue = 4_096;

/** Jobs of custom types. All others start with what they are about. */
export function startingRoutes(parts: JobRoomParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/job',
      says: 'Starts a job of a custom type. Data of the document takes precedence over jobmetadata.',
      query: { type: text('The type', { required: true, expected: 'Expected a type of jobs' }), ...jobParameters },
      reads: optional(simpleMetadataDocument),
      answers: jobDocument,
      access: role('_job_write'),
      acting: 'allowed',
      async handle(call) {
        const { type: jobType, isSystem } = await jobTypeNamed(parts, call.query.type);
        if (isSystem) {
          const explanation = `Expected a type that an administrator made: ${jobType} starts with what it is about`;
          throw new ServiceError('bad-parameter', { context: 'parameter type', explanation });
        }
        const said = pairsFrom(call.body);
        const keys = new Set(said.map(([key]) => key));
        const own = call.query.jobmetadata.filter((pair) => !keys.has(pair.split('=', 1)[0]!));
        const jobmetadata = [...own, ...said.map(([key, value]) => `${key}=${value}`)];
        const withData = { ...call, query: { ...call.query, jobmetadata } };
        const typeGuard = changing(customTypeThere(jobType, noSuchType(jobType)));
        const custom = { job: describeJob(jobType, { memo: {} }), memo: {}, isCustom: true };
        return retryWhenChanged(() => startJob(parts, withData, custom, typeGuard));
      },
    }),
  ];
}

function pairsFrom(document: SimpleMetadata | undefined): readonly (readonly [string, string])[] {
  const pairs = (document?.field ?? []).map(({ key, value }) => [key, value?.value ?? ''] as const);
  const wrong = pairs.find(([key, value]) => key === '' || key.includes('=') || value.length > longestValue);
  if (!wrong) return pairs;
  const explanation = `Expected keys without "=", and values of at most ${longestValue} characters`;
  throw new ServiceError('bad-value', {
    context: '/SimpleMetadataDocument/field',
    explanation,
    value: wrong[0].slice(0, 80),
  });
}
