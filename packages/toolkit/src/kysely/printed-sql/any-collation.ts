/**
 * The row that stands for the answer of a server that is asked for its collation of bytes, where
 * SQL is printed: comments that MySQL and MariaDB each execute for themselves.
 * https://mariadb.com/kb/en/comment-syntax/, https://dev.mysql.com/doc/refman/8.0/en/comments.html
 */
export const ANY_COLLATION = { name: '/*!80017 utf8mb4_0900_bin */ /*M! utf8mb4_nopad_bin */' };
