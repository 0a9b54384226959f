import { type Key, t } from '../../texts/index.ts';

/** Words of a code, or the code in small letters where this page knows none. */
function words(codes: readonly string[], code: string, key: string): string {
  if (codes.includes(code)) return t(key as Key);
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const states = [
  ...[
    'READY',
    'STARTED',
    'WAITING',
    'HOLD',
    'ABORTED_PENDING',
    'FINISHED',
    'FINISHED_WARNING',
    'FAILED_TOTAL',
    'ABORTED',
  ],
  ...['FAILED_RETRY', 'FAILED_FATAL', 'DISAPPEARED', 'NONE'],
];
export const stateWords = (state: string): string => words(states, state, `jobs.state.${state}`);

export const jobTypes = [
  ...['PLACEHOLDER_IMPORT', 'RAW_IMPORT', 'AUTO_IMPORT', 'SHAPE_IMPORT', 'ESSENCE_VERSION', 'SIDECAR_IMPORT'],
  ...[
    'TRANSCODE',
    'SHAPE_UPDATE',
    'THUMBNAIL',
    'ANALYZE',
    'EXPORT',
    'LIST_ITEMS',
    'COPY_FILE',
    'MOVE_FILE',
    'DELETE_FILE',
  ],
  ...['DELETE_LIBRARY', 'UPDATE_LIBRARY_ITEM_METADATA', 'TIMELINE'],
];
export const typeWords = (type: string): string => words(jobTypes, type, `jobs.type.${type}`);

const problems = ['StorageFull', 'StorageOffline', 'FileMissing', 'NoTranscoder'];
export const problemWords = (type: string): string =>
  problems.includes(type) ? t(`jobs.problem.${type}` as Key) : type;

export const priorityWords = (priority: string): string =>
  words(['IMMEDIATE', 'HIGHEST', 'HIGH', 'MEDIUM', 'LOW', 'LOWEST'], priority, `jobs.priority.${priority}`);
