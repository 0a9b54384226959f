import { action, emitterOf, firing } from '../../core/events/event-kinds.ts';
import type { FileState } from '../../core/events/payloads.ts';
import type { FixityState } from './tables.ts';

/** State of a file after a check. */
type FileChecked = FileState & { readonly fixity: FixityState; readonly message?: string };

export const fixityEvents = {
  /** Bytes are not what they should be, or are so again. A check that finds what the last one found has no event. */
  'file/fixity': firing<FileChecked>(
    {
      resource: '/storage/file',
      says: action('FIXITY'),
      tells: ['fileId', 'storageId', 'shapeId', 'itemId', 'fixity', 'message'],
      fact: true,
    },
    {
      fileId: 'VX-88',
      storageId: 'VX-3',
      shapeId: ['VX-12', 'VX-13'],
      itemId: ['VX-7'],
      fixity: 'changed',
      message: 'Expected 2048 bytes: found 1024',
    },
  ),
};

export const fixityEvent = emitterOf(fixityEvents);
