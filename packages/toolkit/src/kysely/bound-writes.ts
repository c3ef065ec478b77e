import {
  DeleteQueryNode,
  ExpressionWrapper,
  InsertQueryNode,
  type OperationNode,
  PrimitiveValueListNode,
  QueryNode,
  type RawBuilder,
  SelectionNode,
  sql,
  UpdateQueryNode,
  ValuesNode,
} from 'kysely';

type WriteNode = InsertQueryNode | UpdateQueryNode | DeleteQueryNode;

/** Whether the statement changes rows. */
export function isWrite(node: OperationNode): node is WriteNode {
  return InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node);
}

/**
 * Binds a statement that writes to the transaction of PostgreSQL in which `pg_current_xact_id()` is
 * `id`: in another one it writes nothing, and answers no row.
 */
export function boundTo(id: string, node: WriteNode): WriteNode {
  const condition = sql<boolean>`pg_current_xact_id()::text = ${id}`;
  const bound = InsertQueryNode.is(node)
    ? InsertQueryNode.cloneWith(node, { values: selectedIf(condition, node.values).toOperationNode() })
    : QueryNode.cloneWithWhere(node, condition.toOperationNode());
  if (bound.returning !== undefined) return bound;
  return QueryNode.cloneWithReturning(bound, [SelectionNode.create(sql`1`.as('written').toOperationNode())]);
}

/** What is inserted, as a `select` with the condition. */
function selectedIf(condition: RawBuilder<boolean>, values: OperationNode = ValuesNode.create([])) {
  const [row, ...others] = ValuesNode.is(values) ? values.values : [];
  // The types of the columns reach the parameters of one `select`, and no others.
  return row !== undefined && PrimitiveValueListNode.is(row) && others.length === 0
    ? sql`select ${sql.join(row.values)} where ${condition}`
    : sql`select * from (${new ExpressionWrapper(values)}) as written where ${condition}`;
}
