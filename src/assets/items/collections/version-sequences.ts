import type { DocumentLimits } from '../../../core/documents/index.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { hook } from '../../../room/hook.ts';
import type { Sequence } from '../documents/sequence.ts';

/** Sequences of a collection that is a version of a project. */
export const versionSequences =
  hook<(reader: Reader, id: string, limits: DocumentLimits) => Promise<readonly Sequence[]>>('projects');
