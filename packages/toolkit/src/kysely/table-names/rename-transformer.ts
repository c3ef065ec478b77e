import {
  IdentifierNode,
  OperationNodeTransformer,
  type QueryId,
  RawNode,
  type ReferenceNode,
  type SchemableIdentifierNode,
  TableNode,
} from 'kysely';

/** The names that a {@link RenameTransformer} replaces. */
export interface Renaming {
  /** The new name of each table, index and constraint, by its old one. None is an old one. */
  readonly names: ReadonlyMap<string, string>;
  /** Which of the old names are tables. */
  readonly tables: ReadonlySet<string>;
  /** Put before tables; undefined if the connection's settings find them. */
  readonly schema: string | undefined;
}

/**
 * Renames tables, indexes and constraints in a statement, wherever they stand: names that Kysely
 * quotes, aliases, and raw SQL that is exactly one of them (`sql.raw('webhooks')`).
 *
 * A second pass changes nothing: Kysely passes a subquery once by itself, and once more with the
 * statement around it.
 */
export class RenameTransformer extends OperationNodeTransformer {
  readonly #renaming: Renaming;

  constructor(renaming: Renaming) {
    super();
    this.#renaming = renaming;
  }

  protected override transformIdentifier(node: IdentifierNode): IdentifierNode {
    const name = this.#renaming.names.get(node.name);
    return name === undefined ? node : IdentifierNode.create(name);
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    const { schema, tables } = this.#renaming;
    const identifier = this.transformIdentifier(node.identifier);
    const isOurs = schema !== undefined && tables.has(node.identifier.name);
    return isOurs ? { ...node, schema: IdentifierNode.create(schema), identifier } : { ...node, identifier };
  }

  /** A column names its table without a schema: the table may be an alias. */
  protected override transformReference(node: ReferenceNode, queryId?: QueryId): ReferenceNode {
    const transformed = super.transformReference(node, queryId);
    const table = transformed.table?.table;
    if (table?.schema === undefined) return transformed;
    return { ...transformed, table: TableNode.create(table.identifier.name) };
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const [text = ''] = node.sqlFragments;
    const { names, tables, schema } = this.#renaming;
    const name = node.parameters.length === 0 ? names.get(text) : undefined;
    if (name === undefined) return super.transformRaw(node, queryId);
    if (schema === undefined || !tables.has(text)) return RawNode.createWithSql(name);
    // As text: a second pass would rename the schema where it is called like a table.
    return RawNode.createWithSql(`"${schema.replaceAll('"', '""')}".${name}`);
  }
}
