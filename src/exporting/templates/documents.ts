import {
  attribute,
  bareInJson,
  boolean,
  content,
  document,
  element,
  lazy,
  list,
  oneOf,
  type Structure,
  string,
  structure,
  type Value,
} from '../../documents/describe.ts';

const text = structure(
  'ExportTemplateTextContent',
  {
    text: content(string).says('With "{{", a script and "}}" where its value goes.'),
    scripttags: attribute(boolean).says('False: the text has no scripts, also where it looks like one.'),
  },
  bareInJson,
);

type Inner = readonly TemplateNode[] | undefined;

/** Element of a template. Declared before the descriptions, which refer to each other. */
export interface TemplateNode {
  readonly path?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly dependency?: readonly string[] | undefined;
  readonly filter?: string | undefined;
  readonly pre?: string | undefined;
  readonly preRender?: string | undefined;
  readonly archive?: Inner;
  readonly collection?: Inner;
  readonly component?: Inner;
  readonly componentfile?: Inner;
  readonly compress?: Inner;
  readonly dummy?: Inner;
  readonly external?: Inner;
  readonly folder?: Inner;
  readonly item?: Inner;
  readonly iterate?: Inner;
  readonly library?: Inner;
  readonly sequence?: Inner;
  readonly shape?: Inner;
  readonly text?: Inner;
  /** Only in an element `iterate`. */
  readonly value?: readonly string[] | undefined;
  /** Only in an element `item`. */
  readonly itemId?: readonly string[] | undefined;
  /** Only in an element `shape`. */
  readonly shapeTag?: string | undefined;
  readonly generate?: boolean | undefined;
  /** Only in an element `text`. */
  readonly content?: Value<typeof text> | undefined;
  readonly script?: string | undefined;
  readonly xslt?: string | undefined;
  readonly charset?: string | undefined;
}

const common = {
  tag: list(string).says('Names that other elements depend on, and that checksums are asked for by.'),
  dependency: list(string).says('Tags of elements that come before this one.'),
  filter: element(string).says('A script. Where it answers false, the element is passed over.'),
  pre: element(string).says('A script that runs ahead of the others of the element.'),
  preRender: element(string),
};
const path = attribute(string).says('The name of the file, or of a folder around the elements below.');
const ids = list(string);
const script = list(string);

const archive = structure('ExportTemplateArchive', {
  ...common,
  ...branches(),
  path,
  method: attribute(oneOf('ZIP', 'TAR')),
});
const collection = structure('ExportTemplateCollection', { ...common, collectionId: ids, ...branches(), path });
const component = structure('ExportTemplateComponent', { ...common, ...branches(), path });
const componentFile = structure('ExportTemplateComponentFile', { ...common, ...branches(), path });
const compress = structure('ExportTemplateCompress', {
  ...common,
  ...branches(),
  path,
  method: attribute(oneOf('GZ', 'BZIP2')),
});
const dummy = structure('ExportTemplateDummy', { ...common, ...branches(), path });
const external = structure('ExportTemplateExternal', { ...common, uri: list(string), ...branches(), path });
const folder = structure('ExportTemplateFolder', { ...common, ...branches(), path });
const item = structure('ExportTemplateItem', { ...common, itemId: ids, ...branches(), path });
const iterate = structure('ExportTemplateIterate', {
  ...common,
  value: script.says('A script. The elements below come once for each of its values, which they know as "value".'),
  ...branches(),
  path,
});
const library = structure('ExportTemplateLibrary', { ...common, libraryId: ids, ...branches(), path });
const sequence = structure('ExportTemplateSequence', { ...common, generate: element(boolean), ...branches(), path });
const shape = structure('ExportTemplateShape', {
  ...common,
  shapeTag: element(string).says('The shapes with this tag. Without it: all shapes of the item.'),
  generate: element(boolean).says('A shape that is missing fails the job: transcode first.'),
  ...branches(),
  path,
});
const textFile = structure('ExportTemplateText', {
  ...common,
  content: element(text).says('Content of the file.'),
  script: element(string).says('A script whose value is what the file holds.'),
  xslt: element(string).says('A stylesheet. What it makes of the metadata of the item is what the file holds.'),
  ...branches(),
  path,
  charset: attribute(string).says('UTF-8, and no other.'),
});

/** The elements that an element can have in it. */
function branches() {
  return {
    archive: list(lazy((): Structure<TemplateNode> => archive)),
    collection: list(lazy((): Structure<TemplateNode> => collection)),
    component: list(lazy((): Structure<TemplateNode> => component)),
    componentfile: list(lazy((): Structure<TemplateNode> => componentFile)),
    compress: list(lazy((): Structure<TemplateNode> => compress)),
    dummy: list(lazy((): Structure<TemplateNode> => dummy)),
    external: list(lazy((): Structure<TemplateNode> => external)),
    folder: list(lazy((): Structure<TemplateNode> => folder)),
    item: list(lazy((): Structure<TemplateNode> => item)),
    iterate: list(lazy((): Structure<TemplateNode> => iterate)),
    library: list(lazy((): Structure<TemplateNode> => library)),
    sequence: list(lazy((): Structure<TemplateNode> => sequence)),
    shape: list(lazy((): Structure<TemplateNode> => shape)),
    text: list(lazy((): Structure<TemplateNode> => textFile)),
  };
}

const template: Structure<TemplateNode> = structure('ExportTemplateType', { ...common, ...branches(), path });

/** A tree that says what files an export makes. Elements that are not listed are kept as they were sent. */
export const exportTemplateDocument = document('ExportTemplateDocument', template);
