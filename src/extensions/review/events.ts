import { about, emitterOf, firing } from '../../core/events/event-kinds.ts';

/** Annotation as it is after the change. */
type AnnotationState = {
  readonly itemId: string;
  readonly annotationId: string;
  /** User who wrote the annotation. */
  readonly author: string;
  readonly state: string;
  readonly parent?: string;
  readonly assignedTo?: string;
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

export const annotationEvents = {
  'annotation/create': firing<AnnotationState>(ofAnnotation('CREATE'), sample),
  'annotation/modify': firing<AnnotationState>(ofAnnotation('MODIFY'), sample),
  'annotation/delete': firing<AnnotationState>(ofAnnotation('DELETE'), sample),
};

export const happened = emitterOf(annotationEvents);
