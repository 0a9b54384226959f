import { about, emitterOf, firing } from '../../core/events/define.ts';

export type ShapeState = {
  readonly itemId: string;
  readonly shapeId: string;
  readonly shapeTag?: readonly string[];
};

const shapeKeys = ['itemId', 'shapeId', 'shapeTag'] as const;
const ofShape = (trigger: string) => ({ resource: '/item', says: about('shape', trigger), tells: shapeKeys }) as const;
const shape = { itemId: 'VX-7', shapeId: 'VX-12', shapeTag: ['original', 'lowres'] };

export const shapeEvents = {
  'shape/create': firing<ShapeState>(ofShape('CREATE'), shape),
  'shape/modify': firing<ShapeState>(ofShape('MODIFY'), shape),
  'shape/delete': firing<ShapeState>(ofShape('DELETE'), shape),
};

export const happened = emitterOf(shapeEvents);
