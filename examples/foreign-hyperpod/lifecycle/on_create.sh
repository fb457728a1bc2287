#!/bin/bash
# Nothing to do before the node joins.
exit 0
