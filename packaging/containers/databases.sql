-- Replicas keep their own copies: one database for each worker.
CREATE DATABASE worker1 ENCODING 'UTF8' TEMPLATE template0;
CREATE DATABASE worker2 ENCODING 'UTF8' TEMPLATE template0;
CREATE DATABASE worker3 ENCODING 'UTF8' TEMPLATE template0;
