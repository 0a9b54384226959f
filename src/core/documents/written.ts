/**
 * Content of an element that is written already, in the form of the answer: what stands between its tags in XML, or its
 * braces in JSON. Lists of thousands of values need no object for each.
 */
export class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A written content, where a document has a value. */
export const written = <T>(text: string): T => new Written(text) as unknown as T;
