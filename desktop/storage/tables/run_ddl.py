"""Runs the statements of a step one by one, in the transaction of the step."""

from sqlalchemy import Connection


def run_statements(db: Connection, statements: str) -> None:
    for statement in statements.split(";\n"):
        if statement.strip():
            db.exec_driver_sql(statement)
