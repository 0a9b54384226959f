import { type DocumentLimits, walkXml } from '../../../core/documents/index.ts';
import { nextTurn } from '../../../core/lib/turn.ts';

/** An element of XML whose form no description says. */
export class ProjectNode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: ProjectNode[] = [];
  text = '';

  constructor(name: string, attributes: ReadonlyMap<string, string> = new Map()) {
    this.name = name;
    this.attributes = attributes;
  }

  all(name: string): readonly ProjectNode[] {
    return this.children.filter((child) => child.name === name);
  }

  /** The first element at the end of a way. */
  at(...way: readonly string[]): ProjectNode | undefined {
    let node: ProjectNode | undefined = this;
    for (const name of way) node = node?.children.find((child) => child.name === name);
    return node;
  }

  /** The text at the end of a way. Undefined: nothing is there. */
  textAt(...way: readonly string[]): string | undefined {
    return this.at(...way)?.text.trim() || undefined;
  }
}

/** Reads a whole document. Others have their turn between its pieces. */
export async function readProjectTree(xml: string, limits: DocumentLimits): Promise<ProjectNode> {
  const top = new ProjectNode('');
  const open = [top];
  const walker = {
    open(name: string, attributes: ReadonlyMap<string, string>) {
      const node = new ProjectNode(name, attributes);
      open.at(-1)!.children.push(node);
      open.push(node);
    },
    text(text: string) {
      open.at(-1)!.text += text;
    },
    close() {
      open.pop();
    },
  };
  for (const _ of walkXml(xml, limits, walker)) await nextTurn();
  return top;
}
