import type { Maybe } from '../core/lib/maybe.ts';
import type { ParameterTable, QueryOf } from '../http/parameters/read.ts';
import type { PathEntities } from '../http/path-entity.ts';
import type { Access, NoEntities, NoQuery, Route, Segments } from '../http/route.ts';
import type { Caller } from '../security/caller.ts';
import { hook } from './hook.ts';

/** A directed graph, as it is told in the language DOT and drawn as a picture. */
export interface Graph {
  readonly name: string;
  /** The way of the arrows in pictures: down when left out. */
  readonly way?: 'up';
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphNode {
  readonly id: string;
  /** Shown instead of the id. */
  readonly label?: string | undefined;
  readonly shape?: 'box' | 'ellipse' | 'hexagon' | undefined;
  readonly dashed?: boolean | undefined;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly label?: string | undefined;
  readonly dashed?: boolean | undefined;
}

/** The parts of a label. Pictures have a line for each. */
export const between = ' | ';

export interface GraphRow<Q extends ParameterTable = NoQuery, E extends PathEntities = NoEntities> {
  /** Path of the picture. The graph as text is below it. */
  readonly path: string;
  /** Subject of the graph, as the beginning of a sentence. */
  readonly says: string;
  readonly entities?: E;
  readonly query?: Q;
  readonly access: Access;
  graph(caller: Caller & { readonly query: QueryOf<Q> }, segments: Segments<string, E>): Maybe<Graph>;
}

/** Routes of graphs of other extensions. */
export const graphRoutesHook = hook<<E extends PathEntities>(row: GraphRow<NoQuery, E>) => readonly Route[]>('graphs');
