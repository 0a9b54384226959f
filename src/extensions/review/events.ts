import { about, emitterOf, firing } from '../../core/events/event-kinds.ts';
import type { ApprovalState } from './tables.ts';

/** Annotation as it is after the change. */
type AnnotationState = {
  readonly itemId: string;
  readonly annotationId: string;
  /** User who wrote the annotation. */
  readonly author: string;
  readonly state: string;
  readonly parent?: string;
  readonly assignedTo?: string;
  /** User to whom the change assigns it. */
  readonly assigned?: string;
  /** Users whom the text names and who may read the item. */
  readonly mention?: readonly string[];
};

const ofAnnotation = (trigger: string) =>
  ({
    resource: '/item',
    says: about('annotation', trigger),
    tells: ['itemId', 'annotationId', 'author', 'state', 'parent', 'assignedTo', 'mention'],
  }) as const;

const sample = {
  itemId: 'VX-7',
  annotationId: 'VX-3',
  author: 'ann',
  state: 'open',
  parent: 'VX-2',
  assignedTo: 'ben',
  mention: ['ben', 'cat'],
};

/** Version of an item in its new state. */
type ApprovalGiven = {
  readonly itemId: string;
  readonly version: number;
  readonly state: ApprovalState;
  /** User who gave the state. */
  readonly reviewer: string;
  readonly comment?: string;
};

const ofApproval = (trigger: string) =>
  ({
    resource: '/item',
    says: about('approval', trigger),
    tells: ['itemId', 'version', 'state', 'reviewer', 'comment'],
  }) as const;

const approvalSample = (state: ApprovalState) => ({
  itemId: 'VX-7',
  version: 2,
  state,
  reviewer: 'ann',
  comment: 'As agreed',
});

export const reviewEvents = {
  'annotation/create': firing<AnnotationState>(ofAnnotation('CREATE'), sample),
  'annotation/modify': firing<AnnotationState>(ofAnnotation('MODIFY'), sample),
  'annotation/delete': firing<AnnotationState>(ofAnnotation('DELETE'), sample),
  'approval/request': firing<ApprovalGiven>(ofApproval('REQUEST'), approvalSample('in-review')),
  'approval/approve': firing<ApprovalGiven>(ofApproval('APPROVE'), approvalSample('approved')),
  'approval/reject': firing<ApprovalGiven>(ofApproval('REJECT'), approvalSample('rejected')),
};

export const reviewEvent = emitterOf(reviewEvents);
